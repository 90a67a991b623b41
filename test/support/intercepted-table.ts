import type { Table } from '#shared/table/table-client';
import { openDisturbedTable } from './disturbed-table.ts';

const writeOperations = new Set(['DeleteItem', 'PutItem', 'TransactWriteItems', 'UpdateItem']);

/** The table, with something that happens before each write, which counts from 1. */
export function interceptWrites(before: (write: number) => Promise<void> | void): Table {
  let writes = 0;
  return openDisturbedTable({
    before: async ({ operation }) => {
      if (!writeOperations.has(operation)) return;
      writes += 1;
      await before(writes);
    },
  });
}

export class Death extends Error {}

/** The table of a process that dies before its write number `death`: none is made from then on. */
export const dyingTable = (death: number): Table =>
  interceptWrites((write) => {
    if (write >= death) throw new Death(`before write ${write}`);
  });
