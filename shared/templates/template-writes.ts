import { isDeepStrictEqual } from 'node:util';
import {
  type Key,
  templateAliasKey,
  templateKey,
  templateNameKey,
  templatePartKey,
  templateVersionSlot,
} from '#shared/table/keys';
import type { StoredItem } from '#shared/table/table-client';
import type { TransactionItem } from '#shared/table/writes';
import { organizationIdOf, type TemplateId } from '#shared/tokens/resource-id';
import { publishedOf, type Template } from './template.ts';
import { templateItemsOf, versionItemsOf } from './template-items.ts';
import { droppedVersions } from './template-versions.ts';

// The transactions of `template-store.ts`, and their conditions.

export type WriteRefusal =
  | 'name_taken'
  | 'alias_taken'
  /** The organization has no such layout, or hasn't published it yet. */
  | 'unknown_layout'
  | 'changed_meanwhile';

/** A write, and what it means if its condition fails. */
export type Write = { readonly item: TransactionItem; readonly refusal?: WriteRefusal };

export const creationWrites = (template: Template): readonly Write[] => [
  ...templateItemsOf(template).map(put),
  ...nameWrites(undefined, template),
  ...layoutWrites(undefined, template),
];

/** Only what changed: a draft leaves the published items alone. */
export function replacementWrites(before: Template, after: Template): readonly Write[] {
  const [Item, ...parts] = templateItemsOf(after);
  const [, ...partsBefore] = templateItemsOf(before);
  return [
    { item: { Put: { Item, ...isUnchanged(before) } }, refusal },
    ...parts.filter(isNewTo(partsBefore)).map(put),
    ...partsBefore.filter(isGoneFrom(parts)).map(remove),
    ...supersededItems(before, after).map(put),
    ...droppedHeads(before, after),
    ...nameWrites(before, after),
    ...layoutWrites(before, after),
  ];
}

export function deletionWrites(template: Template): readonly Write[] {
  const [head, ...parts] = templateItemsOf(template);
  const Key = keyOf(head);
  return [
    { item: { Delete: { Key, ...isUnchanged(template) } }, refusal },
    ...parts.map(remove),
    ...droppedHeads(template, undefined),
    ...nameWrites(template, undefined),
    ...layoutWrites(template, undefined),
  ];
}

const refusal = 'changed_meanwhile';

const put = (Item: StoredItem): Write => ({
  item: { Put: { Item } },
});

const remove = (item: StoredItem): Write => ({
  item: { Delete: { Key: keyOf(item) } },
});

const keyOf = ({ pk, sk }: StoredItem) => ({ pk, sk });

const isNewTo = (items: readonly StoredItem[]) => (item: StoredItem) =>
  !items.some((one) => isDeepStrictEqual(one, item));

const isGoneFrom = (items: readonly StoredItem[]) => (item: StoredItem) =>
  !items.some((one) => one['sk'] === item['sk']);

function supersededItems(before: Template, after: Template): readonly StoredItem[] {
  const taken = publishedOf(before);
  const isSuperseded = taken !== undefined && taken.version !== publishedOf(after)?.version;
  return isSuperseded ? versionItemsOf(before.id, taken) : [];
}

/** Without its first item, a version is never read. The store deletes its other items. */
const droppedHeads = (before: Template, after: Template | undefined): readonly Write[] =>
  droppedVersions(before, after).map(({ version }) => ({
    item: { Delete: { Key: templatePartKey(before.id, templateVersionSlot(version)) } },
  }));

/** Compares everything but the layout's uses. */
function isUnchanged(template: Template) {
  const { isDraft, version, layoutUses = 0 } = template;
  const published = publishedOf(template)?.version ?? 0;
  return {
    ConditionExpression: [
      'version = :version',
      isDraft ? 'draft.version = :draft' : 'attribute_not_exists(draft)',
      ...(template.kind === 'layout'
        ? ['(layoutUses = :uses OR (attribute_not_exists(layoutUses) AND :uses = :none))']
        : []),
    ].join(' AND '),
    ExpressionAttributeValues: {
      ':version': published,
      ...(isDraft && { ':draft': version }),
      ...(template.kind === 'layout' && { ':uses': layoutUses, ':none': 0 }),
    },
  };
}

function nameWrites(before: Template | undefined, after: Template | undefined): readonly Write[] {
  const [name, nameBefore] = [after, before].map((one) => one && nameKeyOf(one));
  const [alias, aliasBefore] = [after, before].map((one) => one && aliasKeyOf(one));
  return [
    ...moveName(nameBefore, name, after?.id, 'name_taken'),
    ...moveName(aliasBefore, alias, after?.id, 'alias_taken'),
  ];
}

const nameKeyOf = ({ id, name }: Template): Key => templateNameKey(organizationIdOf(id), name);

const aliasKeyOf = ({ id, alias }: Template): Key | undefined =>
  alias === undefined ? undefined : templateAliasKey(organizationIdOf(id), alias);

function moveName(
  before: Key | undefined,
  after: Key | undefined,
  templateId: TemplateId | undefined,
  taken: WriteRefusal,
): readonly Write[] {
  if (before?.pk === after?.pk) return [];
  const isNew = 'attribute_not_exists(pk)';
  return [
    ...(after
      ? [
          {
            item: {
              Put: { Item: { ...after, templateId }, ConditionExpression: isNew },
            },
            refusal: taken,
          },
        ]
      : []),
    ...(before ? [{ item: { Delete: { Key: before } } }] : []),
  ];
}

/** Counts uses of the layouts of the draft and of the published version. */
function layoutWrites(before: Template | undefined, after: Template | undefined): readonly Write[] {
  const [left, taken] = [layoutsOf(before), layoutsOf(after)];
  return [
    ...[...taken].filter((id) => !left.has(id)).map((id) => countUse(id, 1)),
    ...[...left].filter((id) => !taken.has(id)).map((id) => countUse(id, -1)),
  ];
}

function layoutsOf(template: Template | undefined): ReadonlySet<TemplateId> {
  const layouts = [template?.layout, template?.published?.layout];
  return new Set(layouts.filter((id) => id !== undefined));
}

const countUse = (layout: TemplateId, by: 1 | -1): Write => ({
  item: {
    Update: {
      Key: templateKey(layout),
      UpdateExpression: 'ADD layoutUses :by',
      ConditionExpression: '#kind = :layout AND version > :neverPublished',
      ExpressionAttributeNames: { '#kind': 'kind' },
      ExpressionAttributeValues: { ':by': by, ':layout': 'layout', ':neverPublished': 0 },
    },
  },
  refusal: 'unknown_layout',
});
