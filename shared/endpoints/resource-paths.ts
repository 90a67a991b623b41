import * as z from 'zod/mini';
import { domainField } from '#shared/domains/domain-field';
import type { ErrorCode } from '#shared/errors/errors';
import { passkeyIdSchema } from '#shared/passkeys/passkey';
import {
  apiKeyIdSchema,
  deliveryIdSchema,
  listedOrganizationId,
  sendIdSchema,
  sessionIdSchema,
  templateIdSchema,
  webhookIdSchema,
} from '#shared/tokens/resource-id';

/**
 * For a path that names a resource. Text that can't be its id gets the same answer as an unknown id.
 *
 * @__NO_SIDE_EFFECTS__
 */
export const pathTo = <const Shape extends z.core.$ZodShape, const Code extends ErrorCode>(
  parameters: Shape,
  unmatchedPath: Code,
) => ({ path: z.object(parameters), unmatchedPath });

export const apiKeyPath = pathTo({ id: apiKeyIdSchema }, 'api_key_not_found');
export const categoryPath = pathTo({ key: z.string() }, 'category_not_found');
export const deliveryPath = pathTo({ id: deliveryIdSchema }, 'delivery_not_found');
export const domainPath = pathTo({ domain: domainField }, 'domain_not_found');
export const noticeTargetPath = pathTo({ key: z.string() }, 'notice_target_not_found');
export const organizationPath = pathTo({ id: listedOrganizationId }, 'organization_not_found');
export const passkeyPath = pathTo({ id: passkeyIdSchema }, 'passkey_not_found');
export const personPath = pathTo({ id: apiKeyIdSchema }, 'person_not_found');
export const policyPath = pathTo({ key: z.string() }, 'policy_not_found');
export const sendPath = pathTo({ id: sendIdSchema }, 'send_not_found');
export const sessionPath = pathTo({ id: sessionIdSchema }, 'session_not_found');
export const templatePath = pathTo({ id: templateIdSchema }, 'template_not_found');
export const webhookPath = pathTo({ id: webhookIdSchema }, 'webhook_not_found');
