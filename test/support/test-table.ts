import { serviceTable, type TableProperties } from '../../infra/local/dynamodb/table.ts';

export type TableSettings = { readonly hasStream?: boolean };

/**
 * The service's table without what DynamoDB Local takes time for and no test counts on. It looks for expired items
 * all the time. With a stream, each write takes it a third more time.
 */
export function testTable({ hasStream = false }: TableSettings = {}): TableProperties {
  const { TimeToLiveSpecification, StreamSpecification, ...table } = serviceTable;
  return hasStream ? { ...table, StreamSpecification } : table;
}
