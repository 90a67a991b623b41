import type { Presented } from '#shared/access/admit-caller';

/** A request that presents this, and hasn't shown a key yet. */
export const presenting = (credential: string | undefined): Presented => ({
  credential,
  context: {},
});
