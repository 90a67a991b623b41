import { openMemoryTable } from '../../support/memory-table/memory-table.ts';
import { testUsageBatches } from './usage-batches.ts';

// A few are counted on DynamoDB Local, too: `usage-store.store.test.ts`.
testUsageBatches(() => openMemoryTable().table, 60);
