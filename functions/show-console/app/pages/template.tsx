import { useRoute } from 'preact-iso/router';
import { shorten } from '../format.ts';
import { Page } from '../parts/page.tsx';
import { Shown } from '../parts/states.tsx';
import { TemplateEditor } from '../parts/template-editor.tsx';
import { Foreign } from '../parts/text.tsx';
import { useCall } from '../use-call.ts';

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
