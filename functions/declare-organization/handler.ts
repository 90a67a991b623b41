import * as z from 'zod/mini';
import { serveCustomResource } from '#shared/declarations/custom-resource';
import { declarerOf } from '#shared/declarations/declaration';
import { openService } from '#shared/endpoints/open-function';
import { parseFields } from '#shared/errors/field-error';
import { declareOrganization, removeOrganization } from './declare-organization.ts';
import { propertiesSchema, settingsSchema } from './schema.ts';

const declaring = openService();

/** The id of a resource whose creation failed. No organization has it, so deleting the resource deletes nothing. */
const noOrganization = 'no-organization';

/** CloudFormation invokes the function directly, and IAM authorizes it. */
export const handler = serveCustomResource({
  idOf: ({ PhysicalResourceId = noOrganization }) => PhysicalResourceId,
  async run(request, log) {
    const { RequestType, RequestId: requestId, PhysicalResourceId: physicalId } = request;
    const declarer = declarerOf(request.StackId, request.LogicalResourceId);
    if (RequestType === 'Delete') {
      const asked = { declarer, requestId, physicalId: physicalId ?? noOrganization };
      await removeOrganization(asked, declaring, log);
      return { physicalId: asked.physicalId };
    }
    const { Settings } = propertiesSchema.parse(request.ResourceProperties);
    const former = propertiesSchema.safeParse(request.OldResourceProperties).data?.Settings;
    const declaration = await declareOrganization(
      {
        declarer,
        requestId,
        isNew: RequestType === 'Create',
        settings: parseFields(settingsSchema, Settings),
        formerSettings: Object.keys(z.safeParse(settingsShape, former).data ?? {}),
      },
      declaring,
    );
    const { organizationId, apiKeyId } = declaration;
    return {
      physicalId: organizationId,
      data: { OrganizationId: organizationId, ApiKeyId: apiKeyId },
    };
  },
});

const settingsShape = z.record(z.string(), z.unknown());
