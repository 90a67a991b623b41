import { describe, expect, it } from 'vitest';
import { readDeploymentConfig } from '../../infra/constructs/deployment-config.ts';
import { createApp } from './synthesised-stack.ts';

describe('the deployment config', () => {
  it('needs no context', () => {
    const app = createApp();

    const config = readDeploymentConfig(app);

    expect(config).toEqual({
      stackName: 'EmailService',
      doubtWindowSeconds: 300,
      sendRetentionDays: 90,
      attachmentsMaxCount: 5,
      attachmentsMaxTotalMb: 10,
      sendPatienceSeconds: 3_600,
      webhookMaxAttempts: 5,
      logLevel: 'INFO',
      logRetentionDays: 30,
      lambdaConcurrency: 10,
      sesTenants: false,
      preferencesByAddress: true,
      proxiesInFront: 0,
    });
  });

  it('reads context as the command line gives it, as text', () => {
    const app = createApp({
      doubtWindowSeconds: '600',
      sendRetentionDays: '30',
      logRetentionDays: '90',
      logLevel: 'DEBUG',
      sesTenants: 'true',
      organizationLimits: '{"recipientsPerDay": 50000}',
    });

    const config = readDeploymentConfig(app);

    expect(config).toMatchObject({
      doubtWindowSeconds: 600,
      sendRetentionDays: 30,
      logRetentionDays: 90,
      logLevel: 'DEBUG',
      sesTenants: true,
      organizationLimits: { recipientsPerDay: 50_000 },
    });
  });

  it.each([
    { organizationLimits: '{"apiKey": 5}' },
    { organizationLimits: '{"webhooks": 21}' },
    { organizationLimits: 'many' },
    { doubtWindowSeconds: 'soon' },
    { sendRetentionDays: '0' },
    { sendRetentionDays: '1.5' },
    { logRetentionDays: '31' },
    { logLevel: 'LOUD' },
    { alarmEmail: 'on-call' },
    { apiBurst: '0' },
    { attachmentsMaxTotalMb: '26' },
    { entitlementsUrl: 'entitlements' },
    { publicBaseUrl: 'mail.example.com' },
    { publicBaseUrl: 'http://mail.example.com' },
    { lambdaConcurrency: '9' },
    { reservedForSending: '0' },
    { webhookMaxAttempts: '0' },
    { sesTenants: 'perhaps' },
    { sesSuppresses: 'everybody' },
    { stackName: '2nd' },
  ])('refuses %o, naming the setting', (context) => {
    const app = createApp(context);

    const read = () => readDeploymentConfig(app);

    expect(read).toThrow(String(Object.keys(context)[0]));
  });

  it('refuses a setting that does not exist, and names the one that was probably meant', () => {
    const app = createApp({ doubtWindowSecond: '600', SESTenants: 'true', colour: 'blue' });

    const read = () => readDeploymentConfig(app);

    expect(read).toThrow(/"doubtWindowSecond" is not a setting: did you mean "doubtWindowSeconds"/);
    expect(read).toThrow(/"SESTenants" is not a setting: did you mean "sesTenants"/);
    expect(read).toThrow(/"colour" is not a setting\./);
  });

  it('takes no notice of the context of CDK itself', () => {
    const app = createApp({ 'cli-telemetry': false, 'hosted-zone:account=1:domainName=x': {} });

    expect(() => readDeploymentConfig(app)).not.toThrow();
  });
});
