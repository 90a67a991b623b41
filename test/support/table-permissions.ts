import * as z from 'zod/mini';
import type { tableIndexes } from '#shared/table/table-attributes';
import type {
  FunctionDeclaration,
  TableAction,
} from '../../infra/constructs/function-declaration.ts';
import type { RecordedRequest } from './fault-proxy.ts';

/** A DynamoDB permission on the table, or on one index: `gsi1:Query`. */
export type TablePermission = TableAction | `${keyof typeof tableIndexes}:Query`;

/** What the function's role is granted. */
export const grantedTo = ({
  tableActions,
  queriesIndexes = [],
}: Pick<FunctionDeclaration, 'tableActions' | 'queriesIndexes'>): TablePermission[] =>
  [...tableActions, ...queriesIndexes.map((index) => `${index}:Query` as const)].toSorted();

/** What a role needs for these requests (DynamoDB guide, "IAM and transactions": that of the parts). */
export const neededFor = (requests: readonly RecordedRequest[]): string[] => [
  ...new Set(requests.flatMap(permissionsOf)),
];

const transaction = z.object({ TransactItems: z.array(z.record(z.string(), z.unknown())) });
const query = z.object({ IndexName: z.optional(z.string()) });
const partPermissions = new Map([
  ['Put', 'PutItem'],
  ['Update', 'UpdateItem'],
  ['Delete', 'DeleteItem'],
  ['ConditionCheck', 'ConditionCheckItem'],
]);

function permissionsOf({ operation, body }: RecordedRequest): string[] {
  switch (operation) {
    case 'TransactWriteItems':
      return transaction
        .parse(body)
        .TransactItems.flatMap(Object.keys)
        .map((part) => partPermissions.get(part) ?? part);
    case 'Query': {
      const { IndexName } = query.parse(body);
      return [IndexName === undefined ? 'Query' : `${IndexName}:Query`];
    }
    default:
      return [operation];
  }
}
