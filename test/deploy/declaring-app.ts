import { App, Stack } from 'aws-cdk-lib';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import * as z from 'zod';
import { TransactionalEmail } from '../../infra/transactional-email.ts';

/** An app with the service, an organization, and in a zone of Route 53 its domain, and one that SES has already. */
const contextShape = z.object({
  name: z.string(),
  domain: z.string(),
  hostedZoneId: z.string(),
  adopted: z.string(),
});

const app = new App({ stackTraces: false });
const { name, domain, hostedZoneId, adopted } = contextShape.parse(app.node.getAllContext());
const stack = new Stack(app, name);
const zone = HostedZone.fromHostedZoneAttributes(stack, 'Zone', { hostedZoneId, zoneName: domain });
const club = new TransactionalEmail(stack, 'Email').organization('Club');
club.domain(zone);
club.domain(zone, { domainName: adopted, adopt: true });
