import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '#shared/table/keys';
import type { StoredItem, Table } from '#shared/table/table-client';
import type { TableCall } from '../support/memory-table/table-call.ts';
import { writesOf } from './call-names.ts';
import type { Sandbox } from './sandbox.ts';

/** A change of the table, as its stream would report it. */
export type TableChange = {
  readonly key: Key;
  readonly before: StoredItem | undefined;
  readonly after: StoredItem | undefined;
  /** The process that made it. */
  readonly by: Sandbox | undefined;
  readonly at: number;
};

/** The changes of a table, and its items as they are after the last one. */
export type TableFeed = {
  /** To be called after each applied call, before the next. */
  observe(call: TableCall, by: Sandbox | undefined): Promise<void>;
  changes(): readonly TableChange[];
  item(key: Key): StoredItem | undefined;
  items(): readonly StoredItem[];
};

type Surroundings = {
  /** The table, opened later than the feed. */
  readonly table: () => Table;
  readonly now: () => number;
  readonly onChange: (change: TableChange) => void;
};

export function openTableFeed({ table, now, onChange }: Surroundings): TableFeed {
  const items = new Map<string, StoredItem>();
  const changes: TableChange[] = [];
  const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;
  const read = async (key: Key): Promise<StoredItem | undefined> => {
    const { client, name: TableName } = table();
    const { Item } = await client.send(new GetCommand({ TableName, Key: key }));
    return Item;
  };

  return {
    async observe(call, by) {
      for (const { key, item } of writesOf(call)) {
        const before = items.get(nameOf(key));
        const after = item ? unmarshall(item) : await read(key);
        if (JSON.stringify(before) === JSON.stringify(after)) continue;
        if (after) items.set(nameOf(key), after);
        else items.delete(nameOf(key));
        const change = { key, before, after, by, at: now() };
        changes.push(change);
        onChange(change);
      }
    },
    changes: () => changes,
    item: (key) => items.get(nameOf(key)),
    items: () => [...items.values()],
  };
}
