import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addNagChecks } from './constructs/nag-checks.ts';
import { EmailServiceStack } from './email-service-stack.ts';
import { readDeployment } from './settings/read-deployment.ts';
import { sayingWhatToWrite } from './settings/settings.ts';

const app = new App({ stackTraces: false });
sayingWhatToWrite(() => {
  const { stackName, settings } = readDeployment(app, join(import.meta.dirname, '../stages'));
  addNagChecks(app);
  new EmailServiceStack(app, stackName, settings);
});
