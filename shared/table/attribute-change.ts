import { isDeepStrictEqual } from 'node:util';
import type { StoredItem } from './table-client.ts';

export type AttributeChange = { readonly set: StoredItem; readonly remove: readonly string[] };

export const changesNothing = ({ set, remove }: AttributeChange): boolean =>
  Object.keys(set).length === 0 && remove.length === 0;

export const changedAttributes = (item: StoredItem, next: StoredItem): StoredItem =>
  Object.fromEntries(
    Object.entries(next).filter(([name, value]) => !isDeepStrictEqual(value, item[name])),
  );

/** The change must not be empty. */
export function updateExpressionOf({ set, remove }: AttributeChange) {
  const assigned = Object.entries(set);
  const assignments = assigned.map((_, index) => `#set${index} = :set${index}`);
  const removals = remove.map((_, index) => `#remove${index}`);
  return {
    UpdateExpression: [
      ...(assignments.length > 0 ? [`SET ${assignments.join(', ')}`] : []),
      ...(removals.length > 0 ? [`REMOVE ${removals.join(', ')}`] : []),
    ].join(' '),
    ExpressionAttributeNames: Object.fromEntries([
      ...assigned.map(([name], index) => [`#set${index}`, name]),
      ...remove.map((name, index) => [`#remove${index}`, name]),
    ]),
    // DynamoDB rejects an empty list.
    ...(assigned.length > 0 && {
      ExpressionAttributeValues: Object.fromEntries(
        assigned.map(([, value], index) => [`:set${index}`, value]),
      ),
    }),
  };
}

/** Requires these attributes as read; the item has them all. */
export const attributesAsSeen = (item: StoredItem, names: readonly string[]) => ({
  clauses: names.map((_, index) => `#seen${index} = :seen${index}`),
  names: Object.fromEntries(names.map((name, index) => [`#seen${index}`, name])),
  values: Object.fromEntries(names.map((name, index) => [`:seen${index}`, item[name]])),
});
