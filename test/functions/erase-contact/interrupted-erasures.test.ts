import { wholeTableInMemory } from '../../support/organization-items.ts';
import { testInterruptedErasures } from './interrupted-erasures.ts';
import { writesOfErasure } from './known-person.ts';

// The first and the last write are interrupted on DynamoDB Local, too: `erase-contact.store.test.ts`.
testInterruptedErasures(
  wholeTableInMemory,
  Array.from({ length: writesOfErasure }, (_, index) => index + 1),
);
