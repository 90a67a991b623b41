import * as z from 'zod/mini';
import { noBody } from '#shared/http/response-body';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const headersSchema = operatorHeadersSchema;

/** Path of DELETE /api/v1/organizations/{id}. */
export const pathSchema = z.object({ id: organizationIdSchema });

/** Query of it: the organization's name, so that nobody deletes another than they mean. */
export const querySchema = z.strictObject({ name: z.string() });
export type DeleteOrganizationQuery = z.infer<typeof querySchema>;

/** Response 204. */
export const responseSchema = noBody;
