import { Contacts } from '../contacts/contacts.tsx';
import { LiftMany } from './lift-many.tsx';
import { MoveSuppressions } from './move-suppressions.tsx';
import { Suppressions } from './suppressions.tsx';

/** Small pages that share their parts: loaded as one file they are smaller than as four. */
export const peoplePages = { Contacts, LiftMany, MoveSuppressions, Suppressions };
