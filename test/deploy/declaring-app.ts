import { App, Stack } from 'aws-cdk-lib';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import * as z from 'zod';
import { TransactionalEmail } from '../../infra/transactional-email.ts';

/** An app with the service, an organization, and its domain in a zone of Route 53. */
const contextShape = z.object({
  name: z.string(),
  domain: z.string(),
  hostedZoneId: z.string(),
});

const app = new App({ stackTraces: false });
const { name, domain, hostedZoneId } = contextShape.parse(app.node.getAllContext());
const stack = new Stack(app, name);
const zone = HostedZone.fromHostedZoneAttributes(stack, 'Zone', { hostedZoneId, zoneName: domain });
new TransactionalEmail(stack, 'Email').organization('Club').domain(zone);
