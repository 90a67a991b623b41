import { wholeTableInMemory } from '../../support/organization-items.ts';
import { writesOfAnonymisation } from './anonymisation.ts';
import { testInterruptedAnonymisations } from './interrupted-anonymisations.ts';

// The first and the last write are interrupted on DynamoDB Local, too: `send-erasure-store.store.test.ts`.
testInterruptedAnonymisations(
  wholeTableInMemory,
  Array.from({ length: writesOfAnonymisation }, (_, index) => index + 1),
);
