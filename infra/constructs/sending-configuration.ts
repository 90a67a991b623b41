import {
  ConfigurationSet,
  ConfigurationSetTlsPolicy,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses';
import { Construct } from 'constructs';

/** The SES configuration set every email goes through. */
export class SendingConfiguration extends Construct {
  readonly configurationSet: ConfigurationSet;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      // SES uses TLS wherever the receiver offers it. To require it would drop a password reset for a
      // person whose mail server does not, and that person is the one who can do least about it.
      tlsPolicy: ConfigurationSetTlsPolicy.OPTIONAL,
      reputationMetrics: true,
      // SES's own list is one for the whole account. A dead mailbox is dead for every organization, and
      // mailing it again costs all of them reputation. A complaint concerns one organization: the
      // service suppresses it there, and no other organization's mail fails because of it.
      suppressionReasons: SuppressionReasons.BOUNCES_ONLY,
    });
  }
}
