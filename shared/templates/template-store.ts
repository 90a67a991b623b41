import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '#shared/audit/audit-entry';
import { putIfEntered } from '#shared/audit/audit-store';
import { templateListPartition, templateVersionSlot } from '#shared/table/keys';
import { batchGet, countListed } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { transactWrite } from '#shared/table/writes';
import { inParallel } from '#shared/timing/in-parallel';
import type { OrganizationId, TemplateId } from '#shared/tokens/resource-id';
import type { Edition, KeptVersion, Template } from './template.ts';
import {
  editionIn,
  furtherKeysOf,
  readingOf,
  slotKeysOf,
  templateKeysOf,
  untilWhole,
} from './template-items.ts';
import { droppedVersions } from './template-versions.ts';
import {
  creationWrites,
  deletionWrites,
  replacementWrites,
  type Write,
  type WriteRefusal,
} from './template-writes.ts';

export type WriteOutcome = 'stored' | WriteRefusal;

export function openTemplateStore(table: Table) {
  /** Reserves the template's names. */
  const create = (template: Template, entry: AuditEntry): Promise<WriteOutcome> =>
    commit(creationWrites(template), entry);

  /** Requires the template as in `before`. Reserves new names and releases old ones. */
  async function replace(
    before: Template,
    after: Template,
    entry: AuditEntry,
  ): Promise<WriteOutcome> {
    const outcome = await commit(replacementWrites(before, after), entry);
    if (outcome === 'stored') await forget(after.id, droppedVersions(before, after));
    return outcome;
  }

  /** Requires the template as in `template`. */
  async function deleteTemplate(template: Template, entry: AuditEntry): Promise<WriteOutcome> {
    const outcome = await commit(deletionWrites(template), entry);
    if (outcome === 'stored') await forget(template.id, droppedVersions(template, undefined));
    return outcome;
  }

  async function commit(writes: readonly Write[], entry: AuditEntry): Promise<WriteOutcome> {
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
  const forget = (id: TemplateId, versions: readonly KeptVersion[]): Promise<void> =>
    inParallel(versions, 4, async ({ version, locales }) => {
      const [, ...rest] = slotKeysOf(id, templateVersionSlot(version), locales);
      for (const Key of rest) {
        await table.client.send(new DeleteCommand({ TableName: table.name, Key })).catch(() => {});
      }
    });

  /** All items of one version, strongly consistent. */
  const get = (id: TemplateId): Promise<Template | undefined> =>
    untilWhole(id, async () => {
      const found = await batchGet(table, templateKeysOf(id));
      const further = furtherKeysOf(id, found);
      const rest = further.length > 0 ? await batchGet(table, further) : undefined;
      const reading = readingOf(id, (key) => found(key) ?? rest?.(key));
      return reading.kind === 'torn' ? 'torn' : { read: reading.template };
    });

  const getVersion = (
    id: TemplateId,
    { version, locales }: KeptVersion,
  ): Promise<Edition | undefined> =>
    untilWhole(id, async () => {
      const slot = templateVersionSlot(version);
      const found = await batchGet(table, slotKeysOf(id, slot, locales));
      const edition = editionIn(id, slot, found, locales);
      return edition === 'torn' ? 'torn' : { read: edition };
    });

  const count = (organizationId: OrganizationId, most: number) =>
    countListed(table, templateListPartition(organizationId), most);

  return { count, get, getVersion, create, replace, delete: deleteTemplate };
}
export type TemplateStore = ReturnType<typeof openTemplateStore>;
