import type { AuditEntry } from '#shared/audit/audit-entry';
import { putIfEntered } from '#shared/audit/audit-store';
import { batchGet } from '#shared/table/batch-get';
import { countListed } from '#shared/table/count-items';
import { templateListPartition, templateNameKey } from '#shared/table/keys';
import type { Table } from '#shared/table/table-client';
import { type TransactionItem, transactWrite } from '#shared/table/transact-write';
import { backOff } from '#shared/timing/backoff';
import { type OrganizationId, organizationIdOf, type TemplateId } from '#shared/tokens/resource-id';
import type { Template } from './template.ts';
import { readingOf, templateItemsOf, templateKeysOf } from './template-items.ts';

export type WriteOutcome = 'stored' | 'name_taken' | 'changed_meanwhile';

const isNew = 'attribute_not_exists(pk)';

export function openTemplateStore(table: Table) {
  /** Stores a new template and takes its name. */
  async function create(template: Template, entry: AuditEntry): Promise<WriteOutcome> {
    const outcome = await transactWrite(table, [
      takeName(table, template),
      ...templateItemsOf(template).map((Item) => ({ Put: { TableName: table.name, Item } })),
      ...putIfEntered(table, entry),
    ]);
    return outcome.committed ? 'stored' : 'name_taken';
  }

  /** Replaces a template that is still as in `before`. Takes a new name and releases the old one. */
  async function replace(
    before: Template,
    after: Template,
    entry: AuditEntry,
  ): Promise<WriteOutcome> {
    const [item, ...bodies] = templateItemsOf(after);
    const isRenamed = before.name !== after.name;
    const outcome = await transactWrite(table, [
      { Put: { TableName: table.name, Item: item, ...isUnchanged(before) } },
      ...bodies.map((Item) => ({ Put: { TableName: table.name, Item } })),
      ...(isRenamed ? [takeName(table, after), giveNameBack(table, before)] : []),
      ...putIfEntered(table, entry),
    ]);
    if (outcome.committed) return 'stored';
    return outcome.conditions[0]?.failed === true ? 'changed_meanwhile' : 'name_taken';
  }

  /** Deletes a template that is still as in `template`, and releases its name. */
  async function remove(template: Template, entry: AuditEntry): Promise<WriteOutcome> {
    const [key, ...bodyKeys] = templateKeysOf(template.id);
    const outcome = await transactWrite(table, [
      { Delete: { TableName: table.name, Key: key, ...isUnchanged(template) } },
      ...bodyKeys.map((Key) => ({ Delete: { TableName: table.name, Key } })),
      giveNameBack(table, template),
      ...putIfEntered(table, entry),
    ]);
    return outcome.committed ? 'stored' : 'changed_meanwhile';
  }

  /** Reads a template with its bodies, all of one version, strongly consistent. */
  async function get(id: TemplateId): Promise<Template | undefined> {
    for (let read = 1; read <= maxReads; read += 1) {
      const reading = readingOf(id, await batchGet(table, templateKeysOf(id)));
      if (reading.kind === 'whole') return reading.template;
      await backOff(read, 20, 200);
    }
    throw new Error(`Template ${id} changes faster than it can be read`);
  }

  /** Counts an organization's templates, up to `most`. */
  const count = (organizationId: OrganizationId, most: number) =>
    countListed(table, templateListPartition(organizationId), most);

  return { count, get, create, replace, delete: remove };
}
export type TemplateStore = ReturnType<typeof openTemplateStore>;

const maxReads = 5;

const isUnchanged = ({ version }: Template) => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

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
