import * as z from 'zod/mini';
import { domainField } from '#shared/domains/domain-field';
import { noBody } from '#shared/http/response-body';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const headersSchema = operatorHeadersSchema;

/** Path of DELETE /api/v1/domain-claims/{domain}. */
export const pathSchema = z.object({ domain: domainField });

/** Query of it: whose claim. */
export const querySchema = z.strictObject({ organizationId: organizationIdSchema });
export type ReleaseDomainQuery = z.infer<typeof querySchema>;

/** Response 204. */
export const responseSchema = noBody;
