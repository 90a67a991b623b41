import { addressWith } from './paging.ts';

export type Parts = {
  readonly path?: Readonly<Record<string, string | undefined>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
};

/** @param template a route's path. */
export function addressOf(template: string, { path = {}, query = {} }: Parts): string {
  const filled = template.replace(/\{(\w+)\+?\}/g, (_, name) =>
    encodeURIComponent(path[name] ?? ''),
  );
  return addressWith(filled, query);
}
