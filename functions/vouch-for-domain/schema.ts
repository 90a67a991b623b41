import * as z from 'zod/mini';
import { domainClaimViewSchema } from '#shared/domains/domain-claim';
import { domainField } from '#shared/domains/domain-field';
import { operatorHeadersSchema } from '#shared/http/shared-secret';
import { organizationIdSchema } from '#shared/tokens/resource-id';

export const headersSchema = operatorHeadersSchema;

/** Body of POST /api/v1/domain-claims. */
export const requestSchema = z.strictObject({
  domain: domainField,
  organizationId: organizationIdSchema,
});
export type VouchForDomainRequest = z.infer<typeof requestSchema>;

/** Response 200: the claim as it is now. */
export const responseSchema = domainClaimViewSchema;
