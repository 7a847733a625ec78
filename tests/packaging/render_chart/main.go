// Renders a chart as `helm template` does, with the template engine and the functions that Helm uses. The arguments are
// the folder of the chart and files of values, of which a later one overrides an earlier one. The standard output is a
// JSON object of each template's text by its name.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

type values = map[string]interface{}

// files is the `.Files` of templates.
type files struct{ chart string }

func (f files) Get(name string) string { return string(read(filepath.Join(f.chart, name))) }

func main() {
	chart := os.Args[1]
	merged := values{}
	for _, file := range append([]string{filepath.Join(chart, "values.yaml")}, os.Args[2:]...) {
		override(merged, parse(file))
	}
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	engine := template.New("chart").Option("missingkey=zero")
	engine.Funcs(functions(engine))
	name := parse(filepath.Join(chart, "Chart.yaml"))["name"].(string)
	for _, path := range paths {
		template.Must(engine.New(name + "/templates/" + filepath.Base(path)).Parse(string(read(path))))
	}
	rendered := map[string]string{}
	for _, path := range paths {
		if strings.HasPrefix(filepath.Base(path), "_") {
			continue
		}
		name := name + "/templates/" + filepath.Base(path)
		var text strings.Builder
		check(engine.ExecuteTemplate(&text, name, root(chart, merged, name)))
		rendered[name] = text.String()
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

// root returns the object that Helm gives to a template.
func root(chart string, merged values, name string) values {
	about := parse(filepath.Join(chart, "Chart.yaml"))
	return values{
		"Values":   merged,
		"Chart":    values{"Name": about["name"], "Version": about["version"], "AppVersion": about["appVersion"]},
		"Release":  values{"Name": "test", "Namespace": "default", "Service": "Helm", "IsInstall": true},
		"Files":    files{chart},
		"Template": values{"Name": name, "BasePath": filepath.Dir(name)},
	}
}

// functions returns those of sprig without the two that Helm removes, and those that Helm adds.
func functions(engine *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	all["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := engine.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	all["fromYaml"] = func(text string) (values, error) {
		parsed := values{}
		err := yaml.Unmarshal([]byte(text), &parsed)
		return parsed, err
	}
	return all
}

func override(base, by values) {
	for key, value := range by {
		existing, isTable := base[key].(values)
		if table, ok := value.(values); ok && isTable {
			override(existing, table)
		} else {
			base[key] = value
		}
	}
}

func parse(path string) values {
	parsed := values{}
	check(yaml.Unmarshal(read(path), &parsed))
	return parsed
}

func read(path string) []byte {
	content, err := os.ReadFile(path)
	check(err)
	return content
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
