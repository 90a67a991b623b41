import * as z from 'zod/mini';

export const maxOverlapHours = 168;
export const defaultOverlapHours = 24;

/** How long the old secret works beside the new one. */
export const overlapHours = z._default(
  z.number().check(z.gte(0), z.lte(maxOverlapHours)),
  defaultOverlapHours,
);
