import { expect, it } from 'vitest';
import { takeRequestQuota } from '#shared/access/request-quota-store';
import { newOrganizationId } from '#shared/tokens/resource-id';
import { captureOutput } from '../../support/captured-output.ts';
import { openMemoryTable } from '../../support/memory-table/memory-table.ts';

it("counts a used-up day that couldn't be marked, for the alarm", async () => {
  const id = newOrganizationId();
  const { table } = openMemoryTable({
    intercept: async (call, run) => {
      if (JSON.stringify(call.input).includes('fullAt'))
        throw new Error('DynamoDB is not available');
      return run();
    },
  });
  await takeRequestQuota(table, id, 'UPLOADS', 80, 100, Date.now());
  const output = captureOutput();

  const fits = await takeRequestQuota(table, id, 'UPLOADS', 30, 100, Date.now());

  expect(fits).toBe(false);
  expect(output.text()).toContain('NoticeNotFiled');
});
