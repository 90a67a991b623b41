import { App, Stack } from 'aws-cdk-lib';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { HostedZone } from 'aws-cdk-lib/aws-route53';
import { TransactionalEmail } from '../../infra/transactional-email.ts';

/**
 * An app with the service, an organization, and in a zone of Route 53 its domain, and one that SES has already. Of two
 * functions, one may send. It runs outside this repository, with the package in place of what it imports from here.
 */
const app = new App({ stackTraces: false });
const context = (name: string) => String(app.node.getContext(name));

const stack = new Stack(app, context('name'));
const email = new TransactionalEmail(stack, 'Email');
const club = email.organization('Club');
const zone = HostedZone.fromHostedZoneAttributes(stack, 'Zone', {
  hostedZoneId: context('hostedZoneId'),
  zoneName: context('domain'),
});
club.domain(zone);
club.domain(zone, { domainName: context('adopted'), adopt: true });

const newFunction = (id: string) =>
  new LambdaFunction(stack, id, {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromAsset(context('code')),
    environment: { EMAIL_SEND_URL: email.sendUrl(club) },
  });
email.grantSend(newFunction('Sender'), { organization: club });
newFunction('Stranger');
