import { App } from 'aws-cdk-lib';
import { readDeploymentConfig } from './constructs/deployment-config.ts';
import { addNagChecks } from './constructs/nag-checks.ts';
import { EmailServiceStack } from './email-service-stack.ts';

const app = new App();
addNagChecks(app);
const config = readDeploymentConfig(app);
new EmailServiceStack(app, config.stackName, config);
