import type { jsPDF } from 'jspdf';

/** What a piece of a report is, in the words of PDF: a part, headings, a paragraph, a table and a list. */
export type Tag = 'Document' | 'Sect' | 'H1' | 'H2' | 'P' | 'Table' | 'TR' | 'TH' | 'TD' | 'L' | 'LI' | 'LBody' | 'Span';

type Text = { readonly page: number; readonly number: number };
type Element = { readonly tag: Tag; readonly kids: (Element | Text)[] };

/** What a text is that stands right in such an element. */
const WITHIN: Partial<Record<Tag, Tag>> = { Document: 'P', Sect: 'P', TR: 'TD', LI: 'LBody' };

/**
 * What a screen reader is told of a document: its headings, paragraphs, lists and tables, in the order in which they are written (ISO 32000-1, 14.7
 * and 14.8). Everything else on its pages is decoration. The library has no tags: they are added where it writes a page and the catalogue.
 */
export class Tags {
  readonly #pdf: jsPDF;
  readonly #internal: Internal;
  readonly #root: Element = { tag: 'Document', kids: [] };
  #current = this.#root;
  #isSilent = false;
  /** By page: the elements whose texts it has, in their order. */
  readonly #texts = new Map<number, Element[]>();
  #tree = 0;

  constructor(pdf: jsPDF, title: string) {
    this.#pdf = pdf;
    // The library's types name a few of these only.
    this.#internal = pdf.internal as unknown as Internal;
    pdf.setDocumentProperties({ title, creator: 'Marktrail' }).setLanguage('en-GB').viewerPreferences({ DisplayDocTitle: true });
    const { events, out } = this.#internal;
    events.subscribe('putPage', ({ pageNumber, page }) => {
      page.unshift('/Artifact BMC');
      page.push('EMC');
      out(`/StructParents ${pageNumber} /Tabs /S`);
    });
    events.subscribe('postPutPages', () => this.#write());
    events.subscribe('putCatalog', () => out(`/Version /1.7 /MarkInfo <</Marked true>> /StructTreeRoot ${this.#tree} 0 R`));
  }

  /** Whatever `draw` writes is in an element of this kind. */
  within(tag: Tag, draw: () => void): void {
    if (this.#isSilent) return draw();
    const outer = this.#current;
    this.open(tag);
    draw();
    this.#current = outer;
  }

  /** Several texts that are one, where no element says otherwise. */
  paragraph(draw: () => void): void {
    const inner = WITHIN[this.#current.tag];
    if (inner) this.within(inner, draw);
    else draw();
  }

  /** A new element at the end of the current one, or `of` the document; what follows is in it. */
  open(tag: Tag, of: 'current' | 'document' = 'current'): void {
    const element: Element = { tag, kids: [] };
    (of === 'current' ? this.#current : this.#root).kids.push(element);
    this.#current = element;
  }

  /** Decoration: what a reader knows already, such as the head of a table on its next page. */
  silently(draw: () => void): void {
    this.#isSilent = true;
    draw();
    this.#isSilent = false;
  }

  /** One text, as `print` prints it: on one page. `read`: what is read in its place, if letters are drawn or turned round. */
  text(print: () => void, read?: string): void {
    if (this.#isSilent) print();
    else
      this.paragraph(() => {
        const page = this.#pdf.getCurrentPageInfo().pageNumber;
        const texts = this.#texts.get(page) ?? [];
        this.#texts.set(page, texts);
        this.#current.kids.push({ page, number: texts.length });
        const { out } = this.#internal;
        out(`EMC /${this.#current.tag} <</MCID ${texts.length}${read === undefined ? '' : ` /ActualText <${utf16(read)}>`}>> BDC`);
        texts.push(this.#current);
        print();
        out('EMC /Artifact BMC');
      });
  }

  #write(): void {
    const { newObjectDeferred, newObjectDeferredBegin, out } = this.#internal;
    const ids = new Map<Element, number>();
    const put = (id: number, content: string): void => {
      newObjectDeferredBegin(id, true);
      out(content);
      out('endobj');
    };
    const putElement = (element: Element, parent: number): string => {
      const id = newObjectDeferred();
      ids.set(element, id);
      const kids = element.kids.map((kid) =>
        'tag' in kid ? putElement(kid, id) : `<</Type/MCR/Pg ${this.#pdf.getPageInfo(kid.page).objId} 0 R/MCID ${kid.number}>>`,
      );
      put(id, `<</S/${element.tag}/P ${parent} 0 R${element.tag === 'TH' ? '/A<</O/Table/Scope/Column>>' : ''}/K[${kids.join(' ')}]>>`);
      return `${id} 0 R`;
    };
    this.#tree = newObjectDeferred();
    const root = putElement(this.#root, this.#tree);
    const pages = [...this.#texts].map(([page, texts]) => `${page}[${texts.map((of) => `${ids.get(of)} 0 R`).join(' ')}]`);
    put(this.#tree, `<</Type/StructTreeRoot/K ${root}/ParentTree<</Nums[${pages.join(' ')}]>>>>`);
  }
}

/** Of `putPage`; other events have none. */
type Page = { readonly pageNumber: number; readonly page: string[] };
type Internal = {
  readonly out: (line: string) => void;
  readonly newObjectDeferred: () => number;
  readonly newObjectDeferredBegin: (id: number, isWritten: boolean) => void;
  readonly events: { readonly subscribe: (name: string, act: (of: Page) => void) => void };
};

/** Big endian with its mark, in hexadecimal digits. */
const utf16 = (text: string): string =>
  `FEFF${Array.from({ length: text.length }, (_, at) => text.charCodeAt(at).toString(16).padStart(4, '0')).join('')}`.toUpperCase();
