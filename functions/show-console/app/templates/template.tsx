import { useRoute } from 'preact-iso/router';
import { shorten } from '../shared/format.ts';
import { Page } from '../shared/page.tsx';
import { Shown } from '../shared/states.tsx';
import { Foreign } from '../shared/text.tsx';
import { useCall } from '../shared/use-call.ts';
import { TemplateEditor } from './editor.tsx';

const lead = (
  <>
    <code>{'{{name}}'}</code> prints a variable, <code>{'{{#items}}…{{/items}}'}</code> repeats for
    each of a list, and <code>{'{{^items}}…{{/items}}'}</code> stands where there is none.
  </>
);

export const NewTemplate = () => (
  <Page title="New template" lead={lead}>
    <TemplateEditor />
  </Page>
);

/** One template: as it is, as it will arrive, and what there is to do with it. */
export function TemplatePage() {
  const { params } = useRoute();
  const template = useCall('GET /api/v1/templates/{id}', { path: { id: params['id'] ?? '' } });
  const { id, name = '' } = template.value ?? {};
  return (
    <Page
      title={id ? `Template “${shorten(name, 60)}”` : 'Template'}
      heading={id ? <Foreign text={name} /> : 'Template'}
      lead={lead}
    >
      <Shown of={template}>{(value) => <TemplateEditor key={value.id} template={value} />}</Shown>
    </Page>
  );
}
