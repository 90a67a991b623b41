import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type * as z from 'zod';
import { organizationKey } from '#shared/table/keys';
import { organizationIdSchema } from '#shared/tokens/resource-id';
import { keptOrSeededOrganization } from '../../../infra/local/seed.ts';
import type { KeptData } from '../../../infra/local/twin-files.ts';
import { openOwnTable } from '../../support/own-database.ts';

const table = await openOwnTable();
vi.stubEnv('TABLE_NAME', table.name);
afterAll(() => {
  vi.unstubAllEnvs();
});

/** What one start keeps for the next. */
function newKeptData(): KeptData {
  const values = new Map<string, unknown>();
  return {
    tableFolder: 'unused',
    keep: <Schema extends z.ZodType>(
      name: string,
      schema: Schema,
      create: () => z.output<Schema>,
    ) => {
      const kept = schema.safeParse(values.get(name));
      return kept.success ? kept.data : create();
    },
    replace: (name, value) => {
      values.set(name, value);
    },
  };
}

describe("the twin's organization", () => {
  it('still exists at the next start', async () => {
    const data = newKeptData();

    const first = await keptOrSeededOrganization(data);

    expect(await keptOrSeededOrganization(data)).toEqual(first);
  });

  it('stored by another version ends the start with a hint', async () => {
    const data = newKeptData();
    const { organizationId } = await keptOrSeededOrganization(data);
    const key = organizationKey(organizationIdSchema.parse(organizationId));
    await table.client.send(
      new PutCommand({ TableName: table.name, Item: { ...key, id: organizationId } }),
    );

    await expect(keptOrSeededOrganization(data)).rejects.toThrow('npm start -- --fresh');
  });
});
