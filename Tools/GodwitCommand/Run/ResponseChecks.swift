import Godwit

/// Tests a response against what a file says about it.
struct ResponseChecks {
    let expected: ExpectedResponse
    let response: CheckedResponse
    let root: FileRoot

    /// Stores the captures, then returns all failures.
    func failures(_ variables: inout Variables, _ redactor: Redactor) -> [CheckFailure] {
        var failures = head()
        for capture in expected.captures {
            switch capture.value(in: response, variables) {
            case .success(let value):
                variables[capture.name] = value
                if capture.isSecret { redactor.add(value.templateText) }
            case .failure(let failure): failures.append(failure)
            }
        }
        let context = CheckPredicate.Context(variables: variables) { [root] name throws(CheckFault) in
            try root.read(name)
        }
        for field in expected.fields { if let failure = failure(field, variables) { failures.append(failure) } }
        for check in expected.asserts {
            if let failure = check.failure(in: response, context) { failures.append(failure) }
        }
        if let body = expected.body, let failure = bodyFailure(body, variables) { failures.append(failure) }
        return failures
    }

    private func head() -> [CheckFailure] {
        var failures: [CheckFailure] = []
        if let version = expected.version, version != response.version {
            failures.append(
                failure("the version is different", expected.offset, version, response.version ?? "unknown"))
        }
        if let status = expected.status, status != response.status {
            var failure = failure(
                "the status is different", expected.statusOffset, "\(status)", "\(response.status)")
            failure.differences = []
            failures.append(failure)
        }
        return failures
    }

    private func failure(_ message: String, _ offset: Int, _ wanted: String, _ found: String) -> CheckFailure {
        var failure = CheckFailure(offset: offset, message: message)
        failure.expected = wanted
        failure.actual = found
        return failure
    }

    /// A field passes if one of the fields with its name has the value.
    private func failure(_ pair: RequestEntry.KeyValue, _ variables: Variables) -> CheckFailure? {
        let offset = pair.name.offset
        do throws(CheckFault) {
            let text = try pair.name.text(variables)
            let value = try pair.value.text(variables)
            guard let name = HTTPField.Name(text) else {
                return CheckFailure(offset: offset, message: "\(CheckValue.shortened(text)) is not a header field name")
            }
            let values = response.fields.values(of: name)
            guard !values.contains(value) else { return nil }
            let found = values.isEmpty ? "nothing" : values.joined(separator: " | ")
            return failure("the header field is different", offset, value, CheckValue.shortened(found))
        } catch {
            return CheckFailure(offset: offset, message: error.message)
        }
    }

    private func bodyFailure(_ body: FileBody, _ variables: Variables) -> CheckFailure? {
        do throws(CheckFault) {
            let (wanted, found) = try bodies(body, variables)
            guard wanted != found else { return nil }
            var failure = failure(
                "the body is different", expected.bodyOffset, wanted.description, found.description)
            failure.differences = ValueDiff.lines(expected: wanted, actual: found)
            return failure
        } catch {
            return CheckFailure(offset: expected.bodyOffset, message: error.message)
        }
    }

    /// JSON is compared by value, other text exactly, and the rest by its bytes.
    private func bodies(
        _ body: FileBody, _ variables: Variables
    ) throws(CheckFault) -> (wanted: CheckValue, found: CheckValue) {
        switch body {
        case .json(let pieces):
            let text = try FileBody.text(of: pieces, variables)
            return (.json(try CheckQuery.json(Data(text.utf8))), .json(try CheckQuery.json(response.body)))
        case .text(let template, let type) where type?.isJSON == true:
            let text = try template.text(variables)
            return (.json(try CheckQuery.json(Data(text.utf8))), .json(try CheckQuery.json(response.body)))
        case .text(let template, _): return (.text(try template.text(variables)), .text(try response.text()))
        case .bytes(let data): return (.bytes(data), .bytes(response.body))
        case .file(let path): return (.bytes(try root.read(try path.text(variables))), .bytes(response.body))
        }
    }
}
