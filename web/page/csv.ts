// Reads a CSV table only to count and to name its rows. The agent checks the cells.

export interface Read {
  header: string[];
  rows: string[][];
}

export function readCsv(text: string): Read {
  const start = text.startsWith("\ufeff") ? 1 : 0;
  const line = text.slice(start).split("\n", 1)[0]!;
  const separator = [";", "\t"].find((one) => line.includes(one)) ?? ",";
  const rows: string[][] = [];
  let row: string[] = [],
    cell = "",
    quoted = false;
  const endCell = () => (row.push(cell.trim()), (cell = ""));
  const endRow = () => {
    endCell();
    if (row.some((one) => one !== "")) rows.push(row);
    row = [];
  };
  for (let k = start; k < text.length; ++k) {
    const c = text[k]!;
    if (quoted && c === '"' && text[k + 1] === '"') cell += text[++k];
    else if (c === '"') quoted = !quoted;
    else if (quoted) cell += c;
    else if (c === separator) endCell();
    else if (c === "\n") endRow();
    else if (c !== "\r") cell += c;
  }
  endRow();
  return { header: rows[0] ?? [], rows: rows.slice(1) };
}

const cellText = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

// The agent's answer with a leading column that identifies each row, as with tacit predict --id.
export function withNames(csv: string, name: string, names: string[]): string {
  const lines = csv.trimEnd().split("\n");
  return lines.map((line, k) => `${cellText(k === 0 ? name : (names[k - 1] ?? ""))},${line}\n`).join("");
}

export function download(name: string, text: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
