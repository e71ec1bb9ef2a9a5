declare module 'parse-prometheus-text-format' {
  interface Metric {
    value: string
    labels: Record<string, string>
  }
  /** Families of metrics in the text format of Prometheus. */
  const parse: (text: string) => { name: string; help: string; type: string; metrics: Metric[] }[]
  export default parse
}
