import { isDeepStrictEqual } from 'node:util';
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putIfEntered } from '#shared/audit/audit-store';
import {
  anyOf,
  type Clause,
  is,
  isAbove,
  isAbsent,
  isNew,
  onlyIf,
  updateIf,
} from '#shared/table/conditional-update';
import {
  type Key,
  templateAliasKey,
  templateKey,
  templateListPartition,
  templateNameKey,
  templatePartKey,
  templateVersionSlot,
} from '#shared/table/keys';
import { idAt, listPositionOf } from '#shared/table/list-position';
import {
  type List,
  type ListRange,
  readListPage,
  readNewerEntries,
} from '#shared/table/list-reader';
import { batchGet, countListed, getItem, readItem } from '#shared/table/reads';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/writes';
import { inParallel } from '#shared/timing/in-parallel';
import {
  type OrganizationId,
  organizationIdOf,
  type TemplateId,
  templateIdSchema,
} from '#shared/tokens/resource-id';
import { type Edition, type KeptVersion, publishedOf, type Template } from './template.ts';
import {
  editionIn,
  furtherKeysOf,
  type ListedTemplate,
  neverPublished,
  readingOf,
  slotKeysOf,
  summaryOf,
  templateItemsOf,
  templateKeysOf,
  untilWhole,
  versionItemsOf,
} from './template-items.ts';
import { droppedVersions } from './template-versions.ts';

export const templatePositionSchema = listPositionOf(templateIdSchema).brand<'TemplatePosition'>();
export type TemplatePosition = z.infer<typeof templatePositionSchema>;

export type WriteRefusal =
  | 'name_taken'
  | 'alias_taken'
  /** The organization has no such layout, or hasn't published it yet. */
  | 'unknown_layout'
  | 'changed_meanwhile';

export type WriteOutcome = 'stored' | WriteRefusal;

/** A write, and what it means if its condition fails. */
type Write = { readonly item: TransactionItem; readonly refusal?: WriteRefusal };

const aliasItemSchema = z.object({ templateId: templateIdSchema });

/** All items of one version, strongly consistent. */
export const getTemplate = (table: Table, id: TemplateId): Promise<Template | undefined> =>
  untilWhole(id, async () => {
    const found = await batchGet(table, templateKeysOf(id));
    const further = furtherKeysOf(id, found);
    const rest = further.length > 0 ? await batchGet(table, further) : undefined;
    const reading = readingOf(id, (key) => found(key) ?? rest?.(key));
    return reading.kind === 'torn' ? 'torn' : { read: reading.template };
  });

/** An earlier version's content. */
export const getTemplateVersion = (
  table: Table,
  id: TemplateId,
  { version, locales }: KeptVersion,
): Promise<Edition | undefined> =>
  untilWhole(id, async () => {
    const slot = templateVersionSlot(version);
    const found = await batchGet(table, slotKeysOf(id, slot, locales));
    const edition = editionIn(id, slot, found, locales);
    return edition === 'torn' ? 'torn' : { read: edition };
  });

/** Strongly consistent. */
export async function getTemplateIdOfAlias(
  table: Table,
  organizationId: OrganizationId,
  alias: string,
): Promise<TemplateId | undefined> {
  const item = await getItem(table, templateAliasKey(organizationId, alias));
  return item && readItem('template', aliasItemSchema, item).templateId;
}

export const countTemplates = (table: Table, organizationId: OrganizationId, most: number) =>
  countListed(table, templateListPartition(organizationId), most);

export async function readTemplatePage(
  table: Table,
  organizationId: OrganizationId,
  range: ListRange<TemplatePosition>,
) {
  const { entries, next } = await readListPage(table, listOf(organizationId), range);
  return { templates: await readSummaries(table, entries), next };
}

/** The templates nearest to `after`, newest first. */
export async function readNewerTemplates(
  table: Table,
  organizationId: OrganizationId,
  range: { readonly after: TemplatePosition; readonly limit: number },
): Promise<ListedTemplate[]> {
  return readSummaries(table, await readNewerEntries(table, listOf(organizationId), range));
}

const listOf = (organizationId: OrganizationId): List<TemplatePosition> => ({
  index: 'gsi2',
  partitions: [templateListPartition(organizationId)],
  positionSchema: templatePositionSchema,
});

/** Leaves out templates deleted since the index was read. */
async function readSummaries(
  table: Table,
  entries: readonly { readonly position: TemplatePosition }[],
): Promise<ListedTemplate[]> {
  const keys = entries.map(({ position }) => templateKey(templateIdSchema.parse(idAt(position))));
  const itemOf = await batchGet(table, keys);
  return keys.flatMap((key) => {
    const item = itemOf(key);
    return item === undefined ? [] : [summaryOf(item)];
  });
}

/** Reserves the template's names. */
export const createTemplate = (
  table: Table,
  template: Template,
  entry: AuditEntry,
): Promise<WriteOutcome> =>
  commit(
    table,
    [
      ...templateItemsOf(template).map(put),
      ...nameWrites(undefined, template),
      ...layoutWrites(undefined, template),
    ],
    entry,
  );

/**
 * Requires the template as in `before`. Reserves new names and releases old ones. Writes only what changed: a draft
 * leaves the published items alone.
 */
export async function replaceTemplate(
  table: Table,
  before: Template,
  after: Template,
  entry: AuditEntry,
): Promise<WriteOutcome> {
  const [Item, ...parts] = templateItemsOf(after);
  const [, ...partsBefore] = templateItemsOf(before);
  const writes = [
    { item: { Put: { Item, ...onlyIf(...isUnchanged(before)) } } },
    ...parts.filter(isNewTo(partsBefore)).map(put),
    ...partsBefore.filter(isGoneFrom(parts)).map(remove),
    ...supersededItems(before, after).map(put),
    ...droppedHeads(before, after),
    ...nameWrites(before, after),
    ...layoutWrites(before, after),
  ];
  const outcome = await commit(table, writes, entry);
  if (outcome === 'stored') await forget(table, after.id, droppedVersions(before, after));
  return outcome;
}

/** Requires the template as in `template`. */
export async function deleteTemplate(
  table: Table,
  template: Template,
  entry: AuditEntry,
): Promise<WriteOutcome> {
  const [head, ...parts] = templateItemsOf(template);
  const writes = [
    { item: { Delete: { Key: keyOf(head), ...onlyIf(...isUnchanged(template)) } } },
    ...parts.map(remove),
    ...droppedHeads(template, undefined),
    ...nameWrites(template, undefined),
    ...layoutWrites(template, undefined),
  ];
  const outcome = await commit(table, writes, entry);
  if (outcome === 'stored') await forget(table, template.id, droppedVersions(template, undefined));
  return outcome;
}

async function commit(
  table: Table,
  writes: readonly Write[],
  entry: AuditEntry,
): Promise<WriteOutcome> {
  const items = writes.map(({ item }) => item);
  const outcome = await transactWrite(table, [...items, ...putIfEntered(entry)]);
  if (outcome.committed) return 'stored';
  const failed = writes.find((_, index) => outcome.conditions[index]?.failed);
  return failed?.refusal ?? 'changed_meanwhile';
}

/**
 * Deletes what no longer has a first item, so is never read: there may be too much of it for the transaction. If the
 * process dies or a deletion fails, the rest stays until its organization is purged.
 */
const forget = (table: Table, id: TemplateId, versions: readonly KeptVersion[]): Promise<void> =>
  inParallel(versions, 4, async ({ version, locales }) => {
    const [, ...rest] = slotKeysOf(id, templateVersionSlot(version), locales);
    for (const Key of rest) {
      await table.client.send(new DeleteCommand({ TableName: table.name, Key })).catch(() => {});
    }
  });

const put = (Item: StoredItem): Write => ({ item: { Put: { Item } } });

const remove = (item: StoredItem): Write => ({ item: { Delete: { Key: keyOf(item) } } });

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

/** Without its first item, a version is never read. */
const droppedHeads = (before: Template, after: Template | undefined): readonly Write[] =>
  droppedVersions(before, after).map(({ version }) => ({
    item: { Delete: { Key: templatePartKey(before.id, templateVersionSlot(version)) } },
  }));

/** For a template that isn't a layout, its uses don't matter. */
const isUnchanged = (template: Template): readonly Clause[] => [
  is('version', publishedOf(template)?.version ?? neverPublished),
  template.isDraft ? isDraftVersion(template.version) : isAbsent('draft'),
  ...(template.kind === 'layout' ? [isUsedBy(template.layoutUses ?? 0)] : []),
];

const isDraftVersion =
  (version: number): Clause =>
  (place) => ({ text: `draft.version = :${place}`, values: { [`:${place}`]: version } });

const isUsedBy = (uses: number): Clause =>
  uses === 0 ? anyOf(is('layoutUses', 0), isAbsent('layoutUses')) : is('layoutUses', uses);

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
  refusal: WriteRefusal,
): readonly Write[] {
  if (before?.pk === after?.pk) return [];
  return [
    ...(after
      ? [{ item: { Put: { Item: { ...after, templateId }, ...onlyIf(isNew) } }, refusal }]
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
    Update: updateIf(templateKey(layout), { add: { layoutUses: by } }, [
      is('kind', 'layout'),
      isAbove('version', neverPublished),
    ]),
  },
  refusal: 'unknown_layout',
});
