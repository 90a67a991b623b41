import {
  ConfigurationSet,
  type ConfigurationSetProps,
  ConfigurationSetTlsPolicy,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';
import type { SesSuppressionChoice } from '#shared/config/ses-settings';

/**
 * The service checks each organization's suppressions before it calls SES. SES's own list only drops email to recent
 * bounces, and everyone who isn't a tenant shares it.
 */
const suppressionProps = {
  nobody: { disableSuppressionList: true },
  bounces: { suppressionReasons: SuppressionReasons.BOUNCES_ONLY },
  bounces_and_complaints: { suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS },
} as const satisfies Record<SesSuppressionChoice, Partial<ConfigurationSetProps>>;

export class SendingConfiguration extends Construct {
  readonly configurationSet: ConfigurationSet;

  constructor(scope: Construct, id: string, suppresses: SesSuppressionChoice) {
    super(scope, id);
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      // SES uses TLS wherever the receiver offers it. Requiring it would drop password resets for people whose mail
      // server doesn't, and they can do least about it.
      tlsPolicy: ConfigurationSetTlsPolicy.OPTIONAL,
      // The alarms watch the account's rates, which SES publishes anyway. These would only cover the service's own
      // emails, and go unread.
      reputationMetrics: false,
      ...suppressionProps[suppresses],
    });
  }
}
