import type { ConditionCheck, Delete, Put, Update } from '@aws-sdk/client-dynamodb';
import { parseCondition } from './condition-expression.ts';
import { holds } from './conditions.ts';
import type { Mentions } from './expression-reader.ts';
import {
  hasIndexableKeys,
  isTableKey,
  keyOf,
  wholeKey,
  wrongIndexKeyType,
  wrongKeyType,
} from './item-keys.ts';
import { type Item, toStoredItem } from './item-values.ts';
import { type DocumentPath, openPlaceholders } from './placeholders.ts';
import type { ItemKey, StoredItems } from './stored-items.ts';
import { parseUpdate } from './update-expression.ts';
import { applyUpdate, checkUpdate } from './updates.ts';

/** What a write would do to the items as they stand. Nothing is stored yet. */
export type WritePlan =
  | {
      readonly kind: 'writes';
      readonly key: ItemKey;
      readonly before: Item | undefined;
      readonly after: Item | undefined;
      /** What an update changes. */
      readonly paths: readonly DocumentPath[];
    }
  /** With the item as it stands, when the write asked for it. */
  | { readonly kind: 'condition failed'; readonly item: Item | undefined }
  /** The item would be malformed. A transaction tells whose write that is. */
  | { readonly kind: 'malformed'; readonly message: string };

export type UpdateRequest = Omit<Update, 'UpdateExpression'> & {
  readonly UpdateExpression?: string | undefined;
};

export function planPut(items: StoredItems, put: Put): WritePlan {
  const item = toStoredItem(put.Item ?? {});
  const admission = admit(items, readConditions(put, []), item);
  if (!hasIndexableKeys(item)) return malformed(wrongIndexKeyType);
  return admission.kind === 'admitted'
    ? { ...admission, kind: 'writes', after: item, paths: [] }
    : admission;
}

export function planDelete(items: StoredItems, request: Delete): WritePlan {
  const admission = admit(items, readConditions(request, []), wholeKey(request.Key));
  return admission.kind === 'admitted'
    ? { ...admission, kind: 'writes', after: undefined, paths: [] }
    : admission;
}

export function planCheck(items: StoredItems, request: ConditionCheck): WritePlan {
  const admission = admit(items, readConditions(request, []), wholeKey(request.Key));
  return admission.kind === 'admitted'
    ? { ...admission, kind: 'writes', after: admission.before, paths: [] }
    : admission;
}

export function planUpdate(items: StoredItems, update: UpdateRequest): WritePlan {
  const text = update.UpdateExpression;
  const { actions, mentions } = text === undefined ? nothing : parseUpdate(text);
  const conditions = readConditions(update, [mentions]);
  checkUpdate(actions, conditions.placeholders);
  const key = wholeKey(update.Key);
  const admission = admit(items, conditions, key);
  if (admission.kind !== 'admitted') return admission;

  const { placeholders } = conditions;
  if (actions.some(({ path }) => isTableKey(placeholders.pathOf(path)[0]))) {
    return malformed('Cannot update an attribute that is part of the key');
  }
  const updated = applyUpdate(actions, { item: admission.before ?? key, placeholders });
  return hasIndexableKeys(updated.item)
    ? { ...admission, kind: 'writes', after: updated.item, paths: updated.paths }
    : malformed(wrongIndexKeyType);
}

const nothing = {
  actions: [],
  mentions: { names: new Set<string>(), values: new Set<string>(), paths: [] },
};

const malformed = (message: string) => ({ kind: 'malformed', message }) as const;

type ConditionalRequest = Omit<ConditionCheck, 'ConditionExpression' | 'Key'> &
  Pick<Put, 'ConditionExpression'>;

function readConditions(request: ConditionalRequest, others: readonly Mentions[]) {
  const text = request.ConditionExpression;
  const parsed = text === undefined ? undefined : parseCondition(text);
  return {
    condition: parsed?.condition,
    placeholders: openPlaceholders(request, parsed ? [...others, parsed.mentions] : others),
    wantsItem: request.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
  };
}

/** @param keyed An item, or a key alone. */
function admit(
  items: StoredItems,
  { condition, placeholders, wantsItem }: ReturnType<typeof readConditions>,
  keyed: Item,
) {
  const key = keyOf(keyed);
  const before = key && items.get(key);
  // DynamoDB refuses a malformed condition before it looks at the key's type.
  const isMet = condition === undefined || holds(condition, { item: before ?? {}, placeholders });
  if (key === undefined) return malformed(wrongKeyType);
  if (isMet) return { kind: 'admitted', key, before } as const;
  return { kind: 'condition failed', item: wantsItem ? before : undefined } as const;
}
