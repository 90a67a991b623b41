import { createHash } from 'node:crypto';
import { tableAttributes, tableIndexes } from '#shared/table/table-attributes';
import { compareTexts, type Item } from './item-values.ts';

const { partitionKey, sortKey } = tableAttributes;

export type ItemKey = { readonly pk: string; readonly sk: string };

/** The attributes by which the table or an index is read. */
export type KeySchema = { readonly partitionKey: string; readonly sortKey: string };

type IndexSchema = KeySchema & { readonly name: string; readonly projected: readonly string[] };
const indexSchemas: readonly IndexSchema[] = Object.values(tableIndexes);

/** An item at its place in a partition of the table or of an index. */
export type Entry = ItemKey & { readonly sort: string; readonly item: Item };

export type StoredItems = {
  get(key: ItemKey): Item | undefined;
  /** As it was before its latest write. */
  getBefore(key: ItemKey): Item | undefined;
  /** Stores an item under its key, or deletes what is there. */
  set(key: ItemKey, item: Item | undefined): void;
  /** A partition of the table, or of an index by name, in sort key order. */
  partition(index: string | undefined, partition: string): readonly Entry[];
  all(): Item[];
  clear(): void;
};

export const schemaOf = (index: string | undefined): KeySchema | undefined =>
  index === undefined
    ? { partitionKey, sortKey }
    : indexSchemas.find((schema) => schema.name === index);

export function createStoredItems(): StoredItems {
  const table = createPartitions();
  const indexes = indexSchemas.map((schema) => ({ schema, partitions: createPartitions() }));
  const earlier = new Map<string, Item | undefined>();
  const nameOf = ({ pk, sk }: ItemKey) => JSON.stringify([pk, sk]);

  return {
    get: (key) => table.get(key.pk, { ...key, sort: key.sk })?.item,
    getBefore: (key) => earlier.get(nameOf(key)),
    set: (key, item) => {
      const before = table.get(key.pk, { ...key, sort: key.sk })?.item;
      earlier.set(nameOf(key), before);
      if (item === undefined) table.remove(key.pk, { ...key, sort: key.sk });
      else table.put(key.pk, { ...key, sort: key.sk, item });
      for (const { schema, partitions } of indexes) {
        const old = before && placeIn(schema, before);
        const now = item && placeIn(schema, item);
        const isSamePlace = old?.partition === now?.partition && old?.sort === now?.sort;
        if (isSamePlace && schema.projected.length === 0) continue;
        if (old) partitions.remove(old.partition, { ...key, sort: old.sort });
        if (now) partitions.put(now.partition, { ...key, ...now });
      }
    },
    partition: (index, partition) => {
      const named = indexes.find(({ schema }) => schema.name === index);
      return (named?.partitions ?? table).all.get(partition) ?? [];
    },
    all: () => [...table.all.values()].flat().map(({ item }) => item),
    clear: () => {
      earlier.clear();
      for (const { all } of [table, ...indexes.map(({ partitions }) => partitions)]) all.clear();
    },
  };
}

/** An item is in an index when it has both its keys. The index holds the keys, and what it projects. */
function placeIn(schema: IndexSchema, item: Item) {
  const partition = item[schema.partitionKey];
  const sort = item[schema.sortKey];
  if (partition?.S === undefined || sort?.S === undefined) return undefined;
  const { [partitionKey]: pk, [sortKey]: sk } = item;
  const keys = { ...(pk && { pk }), ...(sk && { sk }) };
  const shown = schema.projected.flatMap((name) => {
    const value = item[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const entry = {
    ...keys,
    [schema.partitionKey]: partition,
    [schema.sortKey]: sort,
    ...Object.fromEntries(shown),
  };
  return { partition: partition.S, sort: sort.S, item: entry };
}

export type Place = ItemKey & { readonly sort: string };

/** Partitions by key, each kept in order. */
function createPartitions() {
  const all = new Map<string, Entry[]>();
  return {
    all,
    get: (partition: string, place: Place): Entry | undefined => {
      const entries = all.get(partition) ?? [];
      const { at, isThere } = find(entries, place);
      return isThere ? entries[at] : undefined;
    },
    put: (partition: string, entry: Entry): void => {
      const entries = all.get(partition) ?? [];
      all.set(partition, entries);
      const { at, isThere } = find(entries, entry);
      entries.splice(at, isThere ? 1 : 0, entry);
    },
    remove: (partition: string, place: Place): void => {
      const entries = all.get(partition) ?? [];
      const { at, isThere } = find(entries, place);
      if (isThere) entries.splice(at, 1);
      if (entries.length === 0) all.delete(partition);
    },
  };
}

/** Where an entry is, or would be. */
function find(entries: readonly Entry[], place: Place) {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = entries[middle];
    const order = entry === undefined ? 1 : comparePlaces(entry, place);
    if (order === 0) return { at: middle, isThere: true };
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return { at: low, isThere: false };
}

/** Orders the entries of one partition. */
export function comparePlaces(one: Place, other: Place): number {
  const order = compareTexts(one.sort, other.sort);
  if (order !== 0) return order;
  if (one.pk === other.pk && one.sk === other.sk) return 0;
  return Buffer.compare(tieBreakerOf(one), tieBreakerOf(other));
}

const tieBreakers = new WeakMap<Place, Buffer>();

/**
 * AWS promises no order among index entries with one sort key. DynamoDB Local has them by this hash, so
 * with the same hash every answer can be compared.
 */
function tieBreakerOf(place: Place): Buffer {
  const known = tieBreakers.get(place);
  if (known) return known;
  const hash = saltedHash(...[place.pk, place.sk].map((text) => saltedHash(Buffer.from(text))));
  tieBreakers.set(place, hash);
  return hash;
}

const saltedHash = (...parts: readonly Buffer[]): Buffer =>
  createHash('sha1')
    .update(Buffer.concat([Buffer.from('LocalDdb'), ...parts]))
    .digest();
