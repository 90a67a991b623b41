import type { Answer } from '../../../api.ts';
import { Fact } from '../parts/facts.tsx';
import { TextArea } from '../parts/form.tsx';
import { CopyButton, Foreign } from '../parts/text.tsx';

type Identity = Answer<'GET /api/v1/domains/{domain}'>;

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
        Someone with access to the AWS account has to request production access, once for {region}.
        Until then, emails only reach verified addresses and Amazon’s simulator, such as{' '}
        <code>success@simulator.amazonses.com</code>.
      </p>
      <ol>
        <li>Publish the DNS records first: AWS checks them.</li>
        <li>
          In the Amazon SES console in {region}, open “Get set up” and choose “Request production
          access”.
        </li>
        <li>
          Fill in the form:
          <dl class="facts">
            <Fact name="Mail type">Transactional, or Marketing if you mostly send newsletters</Fact>
            <Fact name="Website URL">
              The website where people sign up, perhaps <Foreign text={website} />
            </Fact>
            <Fact name="Additional contacts">A shared inbox: AWS answers there</Fact>
            <Fact name="Preferred language">English</Fact>
            <Fact name="Acknowledgement">
              Check it: you only email people who asked for it, and handle bounces and complaints
            </Fact>
          </dl>
        </li>
        <li>
          When AWS asks how you send, in the form or in the support case it opens, paste the text
          below. Fill in the brackets: AWS turns down vague requests.
        </li>
        <li>AWS usually answers within a day. This page shows when you’re out.</li>
      </ol>
      <TextArea label="Text for AWS" value={draft} rows={12} isReadOnly />
      <p class="buttons">
        <CopyButton text={draft} what="the text for AWS" label="Copy the text" />
        <CopyButton
          text={command}
          what="an AWS CLI command instead"
          label="Copy an AWS CLI command instead"
        />
      </p>
    </section>
  );
}
