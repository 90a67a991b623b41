import { useEffect, useState } from 'preact/hooks';
import type { Input, Route } from '../../../api.ts';
import { call, session } from '../api-client.ts';
import { may } from './may.ts';
import { maxPerPage } from './paging.ts';
import { every } from './words.ts';

const query = { limit: maxPerPage };

const listAt = <R extends Route>(route: R, input: Input<R>) => ({
  mayRead: () => may(route),
  read: () => call(route, input),
});
const lists = {
  tpl_: listAt('GET /api/v1/templates', { query }),
  key_: listAt('GET /api/v1/api-keys', { query }),
  whk_: listAt('GET /api/v1/webhooks', {}),
};
const kinds = every<keyof typeof lists>()(['tpl_', 'key_', 'whk_']);

type Named = {
  readonly id: string;
  readonly alias?: string | undefined;
  readonly name?: string;
  readonly url?: string;
};

/** By id, or by the prefix of a kind's ids once its list was read. `undefined` if the list doesn't have it. */
const known = new Map<string, string | undefined>();
const keyOf = (id: string): string => `${session.organizationId} ${id}`;

/** Names by id. They're kept, so an email's page needn't ask for what a list has shown. */
export function namesOf(things: readonly Named[] = []): ReadonlyMap<string, string> {
  const names = new Map(things.map(({ id, alias, name, url }) => [id, alias ?? name ?? url ?? id]));
  for (const [id, name] of names) known.set(keyOf(id), name);
  return names;
}

/** Kinds whose list couldn't be read. */
const unread = new Set<string>();
/** Kinds whose list was empty: somebody may have made the first one since. */
const wasEmpty = new Set<string>();

/**
 * Names by id; `undefined` until known, or if the session may not read them.
 *
 * @param ids ids or prefixes. The lists of unknown ones' kinds are loaded one after another, each once: a page then
 *   asks for little at a time, and the next one for nothing.
 * @param round each new value allows a list that failed another try, and reads an empty one again.
 */
export function useNames(ids: readonly (string | undefined)[], round: unknown) {
  const [loaded, setLoaded] = useState({});
  useEffect(() => {
    unread.clear();
    for (const kind of kinds) if (hasNone(kind)) wasEmpty.add(kind);
  }, [round]);
  useEffect(() => {
    const isUnknown = (id: string) => !known.has(keyOf(id)) || wasEmpty.has(id);
    const unknown = ids.flatMap((id) => (id && isUnknown(id) ? [id] : []));
    const kind = kinds.find(
      (one) => !unread.has(one) && lists[one].mayRead() && unknown.some((id) => id.startsWith(one)),
    );
    if (kind === undefined) return;
    lists[kind]
      .read()
      .then(
        ({ data }) => {
          wasEmpty.delete(kind);
          for (const id of [kind, ...unknown]) {
            if (id.startsWith(kind)) known.set(keyOf(id), undefined);
          }
          namesOf(data);
        },
        () => unread.add(kind),
      )
      .then(() => setLoaded({}));
  }, [round, loaded]);
  return (id: string) => known.get(keyOf(id));
}

/** Names of the newest keys by id; none for those who may not list keys. */
export function useKeyNames(): ReadonlyMap<string, string> {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    if (!lists.key_.mayRead()) return;
    lists.key_.read().then(
      ({ data }) => setNames(namesOf(data)),
      () => {},
    );
  }, []);
  return names;
}

/** `false` until known. */
export const hasNone = (kind: (typeof kinds)[number]): boolean =>
  known.has(keyOf(kind)) &&
  ![...known].some(([key, name]) => name !== undefined && key.startsWith(keyOf(kind)));
