import type * as z from 'zod/mini';
import { templateKey, templateListPartition } from '#shared/table/keys';
import { idAt, listPositionOf } from '#shared/table/list-position';
import {
  type List,
  type ListRange,
  readListPage,
  readNewerEntries,
} from '#shared/table/list-reader';
import { batchGet } from '#shared/table/reads';
import type { Table } from '#shared/table/table-client';
import { type OrganizationId, type TemplateId, templateIdSchema } from '#shared/tokens/resource-id';
import { type ListedTemplate, summaryOf } from './template-items.ts';

export const templatePositionSchema = listPositionOf(templateIdSchema).brand<'TemplatePosition'>();

export type TemplatePosition = z.infer<typeof templatePositionSchema>;

const listOf = (organizationId: OrganizationId): List<TemplatePosition> => ({
  index: 'gsi2',
  partitions: [templateListPartition(organizationId)],
  positionSchema: templatePositionSchema,
});

export function openTemplateListStore(table: Table) {
  async function read(organizationId: OrganizationId, range: ListRange<TemplatePosition>) {
    const { entries, next } = await readListPage(table, listOf(organizationId), range);
    const ids = entries.map(({ position }) => templateIdSchema.parse(idAt(position)));
    return { templates: await readSummaries(ids), next };
  }

  /** Leaves out templates deleted since the index was read. */
  async function readSummaries(ids: readonly TemplateId[]): Promise<ListedTemplate[]> {
    const itemOf = await batchGet(table, ids.map(templateKey));
    return ids.flatMap((id) => {
      const item = itemOf(templateKey(id));
      return item === undefined ? [] : [summaryOf(item)];
    });
  }

  /** The entries nearest to `after`, newest first. */
  async function readNewer(
    organizationId: OrganizationId,
    range: { readonly after: TemplatePosition; readonly limit: number },
  ): Promise<ListedTemplate[]> {
    const entries = await readNewerEntries(table, listOf(organizationId), range);
    return readSummaries(entries.map(({ position }) => templateIdSchema.parse(idAt(position))));
  }

  return { read, readNewer };
}
