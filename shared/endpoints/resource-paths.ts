import * as z from 'zod/mini';
import type { ErrorCode } from '#shared/errors/errors';
import {
  apiKeyIdSchema,
  organizationIdSchema,
  sendIdSchema,
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
export const organizationPath = pathTo({ id: organizationIdSchema }, 'organization_not_found');
export const sendPath = pathTo({ id: sendIdSchema }, 'send_not_found');
export const templatePath = pathTo({ id: templateIdSchema }, 'template_not_found');
export const webhookPath = pathTo({ id: webhookIdSchema }, 'webhook_not_found');
