import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { batchGet } from '#shared/table/batch-get';
import {
  type Key,
  templateBodyKey,
  templateKey,
  templateListIndexKey,
  templateListPartition,
  templateNameKey,
  templatePartition,
} from '#shared/table/keys';
import { tableIndexes } from '#shared/table/table-attributes';
import type { StoredItem, Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/transact-write';
import {
  type OrganizationId,
  organizationIdOf,
  type TemplateId,
  templateIdSchema,
} from '#shared/tokens/resource-id';
import { type Template, templateSchema } from './template.ts';

const isNew = 'attribute_not_exists(pk)';
const isUnchanged = 'version = :version';

export type WriteOutcome = 'stored' | 'name_taken' | 'changed_meanwhile';

/** Stores a new template and takes its name. */
export async function putNewTemplate(table: Table, template: Template): Promise<WriteOutcome> {
  const outcome = await transactWrite(table, [
    takeName(table, template),
    { Put: { TableName: table.name, Item: toItem(template), ConditionExpression: isNew } },
    ...bodyItems(table, template),
  ]);
  return outcome.committed ? 'stored' : 'name_taken';
}

/** Replaces a template that is as `before` says; a new name is taken and the old one given back. */
export async function replaceTemplate(
  table: Table,
  before: Template,
  after: Template,
): Promise<WriteOutcome> {
  const isRenamed = before.name !== after.name;
  const outcome = await transactWrite(table, [
    {
      Put: {
        TableName: table.name,
        Item: toItem(after),
        ConditionExpression: isUnchanged,
        ExpressionAttributeValues: { ':version': before.version },
      },
    },
    ...(isRenamed ? [takeName(table, after), giveNameBack(table, before)] : []),
    ...bodyItems(table, after),
  ]);
  if (outcome.committed) return 'stored';
  return outcome.conditions[0]?.failed === true ? 'changed_meanwhile' : 'name_taken';
}

/** Deletes a template that is as `template` says. */
export async function deleteTemplate(table: Table, template: Template): Promise<WriteOutcome> {
  const outcome = await transactWrite(table, [
    {
      Delete: {
        TableName: table.name,
        Key: templateKey(template.id),
        ConditionExpression: isUnchanged,
        ExpressionAttributeValues: { ':version': template.version },
      },
    },
    giveNameBack(table, template),
    ...bodyItems(table, { id: template.id }),
  ]);
  return outcome.committed ? 'stored' : 'changed_meanwhile';
}

/** Reads a template with its bodies, strongly consistent. */
export async function getTemplate(table: Table, id: TemplateId): Promise<Template | undefined> {
  const { Items } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': templatePartition(id) },
      ConsistentRead: true,
    }),
  );
  const merged: StoredItem = Object.assign({}, ...(Items ?? []));
  return merged['version'] === undefined ? undefined : templateSchema.parse(merged);
}

export type TemplatePage = {
  /** Newest first, without their bodies. */
  readonly templates: readonly Template[];
  /** Where the next page begins: an opaque text; `undefined` at the end. */
  readonly nextCursor: string | undefined;
};

/** One page of an organization's templates; `cursor` is what the page before gave. */
export async function listTemplates(
  table: Table,
  organizationId: OrganizationId,
  limit: number,
  cursor: string | undefined,
): Promise<TemplatePage> {
  const { Items } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi2.name,
      KeyConditionExpression: 'gsi2pk = :pk AND gsi2sk < :before',
      ExpressionAttributeValues: {
        ':pk': templateListPartition(organizationId),
        ':before': cursor === undefined ? '~' : Buffer.from(cursor, 'base64url').toString(),
      },
      ScanIndexForward: false,
      Limit: limit + 1,
    }),
  );
  const entries = (Items ?? []).map((item) => z.object({ gsi2sk: z.string() }).parse(item).gsi2sk);
  const shown = entries.slice(0, limit);
  const last = entries.length > limit ? shown.at(-1) : undefined;
  return {
    templates: await readAll(table, shown.map(idIn)),
    nextCursor: last && Buffer.from(last).toString('base64url'),
  };
}

const idIn = (entry: string): TemplateId => templateIdSchema.parse(entry.split('#')[1]);

/** A template that was deleted since the index was read is left out. */
async function readAll(table: Table, ids: readonly TemplateId[]): Promise<Template[]> {
  const itemOf = await batchGet(table, ids.map(templateKey));
  return ids.flatMap((id) => {
    const item = itemOf(templateKey(id));
    return item === undefined ? [] : [templateSchema.parse(item)];
  });
}

function toItem({ htmlContent: _html, content: _text, ...template }: Template): StoredItem {
  const { id, createdAt } = template;
  return { ...templateKey(id), ...templateListIndexKey(id, createdAt), ...template };
}

/** One item a body; a body the template does not have is removed. */
const bodyItems = (
  table: Table,
  template: Pick<Template, 'id' | 'htmlContent' | 'content'>,
): TransactionItem[] => [
  bodyItem(table, templateBodyKey(template.id, 'htmlContent'), 'htmlContent', template.htmlContent),
  bodyItem(table, templateBodyKey(template.id, 'content'), 'content', template.content),
];

const bodyItem = (
  table: Table,
  key: Key,
  part: string,
  text: string | undefined,
): TransactionItem =>
  text === undefined
    ? { Delete: { TableName: table.name, Key: key } }
    : { Put: { TableName: table.name, Item: { ...key, [part]: text } } };

const takeName = (table: Table, { id, name }: Template): TransactionItem => ({
  Put: {
    TableName: table.name,
    Item: { ...templateNameKey(organizationIdOf(id), name), templateId: id },
    ConditionExpression: isNew,
  },
});

const giveNameBack = (table: Table, { id, name }: Template): TransactionItem => ({
  Delete: { TableName: table.name, Key: templateNameKey(organizationIdOf(id), name) },
});
