import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { addNagChecks } from './constructs/nag-checks.ts';
import { EmailServiceStack } from './email-service-stack.ts';
import { readDeployment } from './settings/read-deployment.ts';
import { SettingsError } from './settings/settings.ts';

const app = new App({ stackTraces: false });
try {
  const { stackName, settings } = readDeployment(app, join(import.meta.dirname, '../stages'));
  addNagChecks(app);
  new EmailServiceStack(app, stackName, settings);
} catch (error) {
  if (!(error instanceof SettingsError)) throw error;
  // The operator only needs to know what to write, so there's no stack trace.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
