import * as z from 'zod/mini';
import { policyViewSchema } from '#shared/organizations/policy-view';

/** Path of GET /api/v1/policies/{key}. */
export const pathSchema = z.object({ key: z.string() });

/** Response 200. */
export const responseSchema = policyViewSchema;
