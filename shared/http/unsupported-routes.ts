import { ServiceError } from '#shared/errors/service-error';
import { matchPath } from './match-path.ts';

/** A part of another service's API. */
export type Unsupported = {
  readonly what: string;
  readonly instead?: string;
  readonly paths: readonly string[];
};

export type ForeignApi = {
  readonly name: string;
  readonly prefix: string;
  readonly unsupported: readonly Unsupported[];
};

export const andBelow = (path: string): readonly string[] => [path, `${path}/{rest+}`];

export const isPathOf = ({ prefix }: Pick<ForeignApi, 'prefix'>, path: string): boolean =>
  path.startsWith(`${prefix}/`);

/** @throws ServiceError `endpoint_not_found` for a path of `unsupported`. */
export function refuseUnsupported({ name, prefix, unsupported }: ForeignApi, path: string): void {
  const own = path.slice(prefix.length);
  const found = unsupported.find(({ paths }) =>
    paths.some((template) => matchPath(template, own) !== undefined),
  );
  if (found === undefined) return;
  const { what, instead } = found;
  const detail = `This service speaks ${name}’s API, but has no ${what}.`;
  throw new ServiceError(
    'endpoint_not_found',
    instead === undefined ? detail : `${detail} ${instead}`,
  );
}
