import { CopyButton, Foreign } from '../shared/text.tsx';
import { TextArea } from '../shared/text-area.tsx';
import type { Identity } from '../shared/words.ts';

/** How to leave the sandbox of Amazon SES: what its form asks for, and what to write there. */
export function SandboxGuide({ identity }: { identity: Identity }) {
  const { domain, account } = identity;
  const { region, productionAccessRequest: draft } = account;
  if (draft === undefined) return null;
  const website = `https://${domain}`;
  const command = `aws sesv2 put-account-details --production-access-enabled --mail-type TRANSACTIONAL --contact-language EN --website-url ${website} --region ${region}`;
  return (
    <section aria-labelledby="sandbox">
      <h2 id="sandbox">Leave the sandbox</h2>
      <p>
        Whoever has access to the AWS account asks AWS for production access, once for {region}.
        Until AWS agrees, emails reach verified addresses and Amazon’s simulator alone, such as{' '}
        <code>success@simulator.amazonses.com</code>.
      </p>
      <ol>
        <li>Publish the DNS records first: AWS looks at them.</li>
        <li>
          Open the console of Amazon SES in {region}, “Get set up”, “Request production access”.
        </li>
        <li>
          Write into the form:
          <dl class="facts">
            <dt>Mail type</dt>
            <dd>Transactional; Marketing if most of what you send is newsletters</dd>
            <dt>Website URL</dt>
            <dd>
              Your website, where people sign up: perhaps <Foreign text={website} />
            </dd>
            <dt>Additional contacts</dt>
            <dd>An address that several of you read: AWS answers there</dd>
            <dt>Preferred language</dt>
            <dd>English</dd>
            <dt>Acknowledgement</dt>
            <dd>Check it: you mail only who asked for it, and handle bounces and complaints</dd>
          </dl>
        </li>
        <li>
          Where AWS asks how you send, in the form or in the Support case that it opens, paste the
          text below. Fill in what stands in brackets: vague requests are refused.
        </li>
        <li>AWS answers within a day, as a rule. This page shows it.</li>
      </ol>
      <TextArea label="What to write to AWS" value={draft} rows={12} isReadOnly />
      <p class="buttons">
        <CopyButton text={draft} what="the text for AWS" label="Copy the text" />
        <CopyButton
          text={command}
          what="the command in the place of the form"
          label="Copy the command in the place of the form"
        />
      </p>
    </section>
  );
}
