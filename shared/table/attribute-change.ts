import { isDeepStrictEqual } from 'node:util';
import type { StoredItem } from './table-client.ts';

export type AttributeChange = { readonly set: StoredItem; readonly remove: readonly string[] };

export const changesNothing = ({ set, remove }: AttributeChange): boolean =>
  Object.keys(set).length === 0 && remove.length === 0;

export const changedAttributes = (item: StoredItem, next: StoredItem): StoredItem =>
  Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isDeepStrictEqual(value, item[name])),
  );
