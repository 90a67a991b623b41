import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { batchGet } from '#shared/table/batch-get';
import { templateKey, templateListPartition } from '#shared/table/keys';
import { idAt } from '#shared/table/list-position';
import { tableIndexes } from '#shared/table/table-attributes';
import type { Table } from '#shared/table/table-client';
import { type OrganizationId, type TemplateId, templateIdSchema } from '#shared/tokens/resource-id';
import { templateSchema } from './template.ts';
import { type TemplatePosition, templatePositionSchema } from './template-list-position.ts';

/** Sorts after every position. */
const end = '~';

/** A template without its bodies. */
export const templateSummarySchema = z.omit(templateSchema, { htmlContent: true, content: true });
export type TemplateSummary = z.infer<typeof templateSummarySchema>;

export type TemplatePage = {
  /** Newest first. */
  readonly templates: readonly TemplateSummary[];
  /** Where the next page begins; `undefined` at the end. */
  readonly next: TemplatePosition | undefined;
};

/** One page of an organization's templates, older than `before`. */
export async function listTemplates(
  table: Table,
  organizationId: OrganizationId,
  limit: number,
  before: TemplatePosition | undefined,
): Promise<TemplatePage> {
  const { Items = [] } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      IndexName: tableIndexes.gsi2.name,
      KeyConditionExpression: 'gsi2pk = :pk AND gsi2sk < :before',
      ExpressionAttributeValues: {
        ':pk': templateListPartition(organizationId),
        ':before': before ?? end,
      },
      ScanIndexForward: false,
      Limit: limit + 1,
    }),
  );
  const positions = Items.map((item) => templatePositionSchema.parse(item['gsi2sk']));
  const shown = positions.slice(0, limit);
  return {
    templates: await readAll(
      table,
      shown.map((position) => templateIdSchema.parse(idAt(position))),
    ),
    next: positions.length > limit ? shown.at(-1) : undefined,
  };
}

/** A template that was deleted since the index was read is left out. */
async function readAll(table: Table, ids: readonly TemplateId[]): Promise<TemplateSummary[]> {
  const itemOf = await batchGet(table, ids.map(templateKey));
  return ids.flatMap((id) => {
    const item = itemOf(templateKey(id));
    return item === undefined ? [] : [templateSummarySchema.parse(item)];
  });
}
