import { TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { openTable, type Table } from '#shared/table/table-client';
import { tableName } from '../../infra/local/environment.ts';

/** A call to DynamoDB: its name as in the API, and how many of that name there were before. */
export type TableCall = { readonly operation: string; readonly index: number };

export type Disturbance = {
  /** What happens before the call. */
  readonly before?: (call: TableCall) => Promise<void>;
  /** What happens between a call that was done and its answer; when it is `lost`, the SDK tries again. */
  readonly answering?: (call: TableCall) => Promise<'lost' | undefined>;
};

/** Opens a table as another process does, with a client of its own. */
export type TableOpener = () => Table;

const openFilesTable: TableOpener = () => openTable(tableName);

/** The table that the file has opened, or another, with a client of its own to which things happen. */
export function openDisturbedTable(
  { before, answering }: Disturbance,
  open = openFilesTable,
): Table {
  const table = open();
  const counts = new Map<string, number>();
  const calls = new WeakMap<object, TableCall>();
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      const operation = `${context.commandName}`.replace(/Command$/, '');
      const index = counts.get(operation) ?? 0;
      counts.set(operation, index + 1);
      const call = { operation, index };
      calls.set(context, call);
      await before?.(call);
      return next(args);
    },
    { step: 'initialize', name: 'before' },
  );
  // Inside of the SDK's retries: each of them is a request of its own.
  table.client.middlewareStack.add(
    (next, context) => async (args) => {
      const output = await next(args);
      const call = calls.get(context);
      const fate = call && (await answering?.(call));
      if (fate === 'lost') throw Object.assign(new Error('lost'), { name: 'TimeoutError' });
      return output;
    },
    { step: 'finalizeRequest', priority: 'low', name: 'answering' },
  );
  return table;
}

/** Loses the answer to the first call of that name that is done; meanwhile something happens. */
export function loseFirstAnswer(
  operation: string,
  meanwhile: () => Promise<unknown> = async () => {},
): Disturbance {
  let isLost = false;
  return {
    answering: async (call) => {
      if (isLost || call.operation !== operation) return undefined;
      isLost = true;
      await meanwhile();
      return 'lost';
    },
  };
}

/** Does something before the call of that name and index. */
export const doBefore = (
  operation: string,
  index: number,
  action: () => Promise<unknown>,
): Disturbance => ({
  before: async (call) => {
    if (call.operation === operation && call.index === index) await action();
  },
});

/** A transaction holds the item at the first call of that name. */
export const conflictAtFirst = (operation: string): Disturbance =>
  doBefore(operation, 0, () =>
    Promise.reject(new TransactionConflictException({ message: 'held', $metadata: {} })),
  );

const writeOperations = new Set(['DeleteItem', 'PutItem', 'TransactWriteItems', 'UpdateItem']);

/** The table, with something that happens before each write. Writes count from 1. */
export function interceptWrites(
  before: (write: number) => Promise<void> | void,
  open?: TableOpener,
): Table {
  let writes = 0;
  const disturbance: Disturbance = {
    before: async ({ operation }) => {
      if (!writeOperations.has(operation)) return;
      writes += 1;
      await before(writes);
    },
  };
  return openDisturbedTable(disturbance, open);
}

export class Death extends Error {}

/** The table of a process that dies before its write number `death`. It makes none from then on. */
export const dyingTable = (death: number, open?: TableOpener): Table =>
  interceptWrites((write) => {
    if (write >= death) throw new Death(`before write ${write}`);
  }, open);
