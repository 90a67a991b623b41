import { useEffect, useState } from 'preact/hooks';
import { call, session } from '../api-client.ts';
import { every } from './words.ts';

/** The API's most per page. */
export const mostNamed = 100;
const query = { limit: mostNamed };

const lists = {
  tpl_: () => call('GET /api/v1/templates', { query }),
  key_: () => call('GET /api/v1/api-keys', { query }),
  whk_: () => call('GET /api/v1/webhooks', {}),
};
const kinds = every<keyof typeof lists>()(['tpl_', 'key_', 'whk_']);

type Named = {
  readonly id: string;
  readonly alias?: string | undefined;
  readonly name?: string;
  readonly url?: string;
};

/** By id, or by the beginning of all ids of a kind that was asked for. `undefined` where the list has no such thing. */
const known = new Map<string, string | undefined>();
const keyOf = (id: string): string => `${session.organizationId} ${id}`;

/** What people call each of these. An email's page needn't ask for what a list has shown. */
export function namesOf(things: readonly Named[] = []): ReadonlyMap<string, string> {
  const names = new Map(things.map(({ id, alias, name, url }) => [id, alias ?? name ?? url ?? id]));
  for (const [id, name] of names) known.set(keyOf(id), name);
  return names;
}

/**
 * What people call things with these ids; `undefined` until it's known, and if the session may not read them.
 *
 * @param ids and beginnings of ids: of the first unknown one's kind, all names are asked for.
 * @param round asks once each: a view has one request left for names, and each later answer of it another.
 */
export function useNames(ids: readonly (string | undefined)[], round: unknown) {
  const [, setLoaded] = useState({});
  useEffect(() => {
    const unknown = ids.find((id) => id && !known.has(keyOf(id)));
    const kind = kinds.find((one) => unknown?.startsWith(one));
    if (kind === undefined) return;
    lists[kind]().then(
      ({ data }) => {
        for (const id of [kind, ...ids]) if (id?.startsWith(kind)) known.set(keyOf(id), undefined);
        namesOf(data);
        setLoaded({});
      },
      () => {},
    );
  }, [round]);
  return (id: string) => known.get(keyOf(id));
}

/** Whether the organization has nothing of a kind: `false` until that's known. */
export const hasNone = (kind: (typeof kinds)[number]): boolean =>
  known.has(keyOf(kind)) &&
  ![...known].some(([key, name]) => name !== undefined && key.startsWith(keyOf(kind)));
