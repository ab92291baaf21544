// Makes workbooks for tests in the format of spreadsheets: an archive with the sheets in XML.

import { deflateRawSync } from "node:zlib";

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest >>> 0;
});
const crc = (bytes) => (bytes.reduce((sum, byte) => TABLE[(sum ^ byte) & 255] ^ (sum >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;

/** Makes an archive of files, by their names. */
function archive(files) {
  const parts = [];
  const entries = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)];
    const packed = deflateRawSync(bytes);
    // Local header: version, flags, method, time, date, checksum, sizes, and the length of the name.
    const about = Buffer.alloc(26);
    [20, 0, 8, 0, 0x21].forEach((value, index) => about.writeUInt16LE(value, 2 * index));
    [crc(bytes), packed.length, bytes.length].forEach((value, index) => about.writeUInt32LE(value, 10 + 4 * index));
    about.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), about, path, packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    entries.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), about, place, path]));
    parts.push(local);
    at += local.length;
  }
  const list = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  [8, 10].forEach((index) => end.writeUInt16LE(entries.length, index));
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}

const escaped = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Makes an Excel workbook from the rows of each sheet, by the names of the sheets. */
export function xlsx(sheets) {
  const office = "http://schemas.openxmlformats.org";
  const texts = [...new Set(Object.values(sheets).flat(2).filter((cell) => typeof cell === "string"))];
  const row = (cells, at) => {
    const cell = (value, column) => {
      const place = `r="${String.fromCharCode(65 + column)}${at + 1}"`;
      return typeof value === "string" ? `<c ${place} t="s"><v>${texts.indexOf(value)}</v></c>` : `<c ${place}><v>${value}</v></c>`;
    };
    return `<row r="${at + 1}">${cells.map(cell).join("")}</row>`;
  };
  const names = Object.keys(sheets);
  const files = {
    "[Content_Types].xml": `${HEAD}<Types xmlns="${office}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    "_rels/.rels": `${HEAD}<Relationships xmlns="${office}/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `${HEAD}<workbook xmlns="${office}/spreadsheetml/2006/main" xmlns:r="${office}/officeDocument/2006/relationships"><sheets>${names.map((name, at) => `<sheet name="${escaped(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `${HEAD}<Relationships xmlns="${office}/package/2006/relationships">${names.map((_, at) => `<Relationship Id="rId${at + 1}" Type="${office}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`).join("")}<Relationship Id="rId${names.length + 1}" Type="${office}/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
    "xl/sharedStrings.xml": `${HEAD}<sst xmlns="${office}/spreadsheetml/2006/main">${texts.map((text) => `<si><t>${escaped(text)}</t></si>`).join("")}</sst>`,
  };
  for (const [at, rows] of Object.values(sheets).entries()) {
    files[`xl/worksheets/sheet${at + 1}.xml`] = `${HEAD}<worksheet xmlns="${office}/spreadsheetml/2006/main"><sheetData>${rows.map(row).join("")}</sheetData></worksheet>`;
  }
  return archive(files);
}

/** Makes a LibreOffice workbook from the rows of each sheet, by the names of the sheets. */
export function ods(sheets) {
  const mime = "application/vnd.oasis.opendocument.spreadsheet";
  const space = (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`;
  const cell = (value) => {
    const type = typeof value === "string" ? 'office:value-type="string"' : `office:value-type="float" office:value="${value}"`;
    return `<table:table-cell ${type}><text:p>${escaped(value)}</text:p></table:table-cell>`;
  };
  const row = (cells) => `<table:table-row>${cells.map(cell).join("")}</table:table-row>`;
  const below = '<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>';
  const tables = Object.entries(sheets).map(([name, rows]) => `<table:table table:name="${escaped(name)}">${rows.map(row).join("")}${below}</table:table>`);
  const entry = (path, type) => `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${type}"/>`;
  return archive({
    mimetype: mime,
    "META-INF/manifest.xml": `${HEAD}<manifest:manifest ${space("manifest")}>${entry("/", mime)}${entry("content.xml", "text/xml")}</manifest:manifest>`,
    "content.xml": `${HEAD}<office:document-content ${["office", "table", "text"].map(space).join(" ")} office:version="1.3"><office:body><office:spreadsheet>${tables.join("")}</office:spreadsheet></office:body></office:document-content>`,
  });
}
